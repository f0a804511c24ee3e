export const FORGE_KINDS = ['github', 'gitea', 'forgejo'] as const;
export type ForgeKind = (typeof FORGE_KINDS)[number];
