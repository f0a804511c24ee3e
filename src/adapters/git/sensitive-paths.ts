import type { Finding } from '../../ports/workspace.ts';

type Verdict = Omit<Finding, 'path'>;

const CI: Verdict = {
  kind: 'sensitive_path',
  because: 'controls what runs with the permissions of the repository, or who must review',
  blocks: true,
};
const AGENT: Verdict = {
  kind: 'agent_settings',
  because: 'instructs agents, or makes their tools run programs',
  blocks: true,
};
const TOOL: Verdict = {
  kind: 'sensitive_path',
  because: 'makes git or a package manager run programs on other machines',
  blocks: true,
};
const LOCK: Verdict = {
  kind: 'sensitive_path',
  because: 'pins which packages are installed',
  blocks: false,
};

/** In lower case: some file systems and some forges ignore case. */
const RULES: readonly (readonly [RegExp, Verdict])[] = [
  [/^\.(github|forgejo|gitea)\/(workflows|actions)\//, CI],
  [/^\.github\/(dependabot\.ya?ml|settings\.ya?ml)$/, CI],
  [/^(\.github\/|\.gitlab\/|\.forgejo\/|\.gitea\/|docs\/)?codeowners$/, CI],
  [/^\.(gitlab-ci|travis|drone|cirrus|appveyor)\.ya?ml$/, CI],
  [/^\.?(azure-pipelines|bitbucket-pipelines|appveyor|cloudbuild|buildspec)\.ya?ml$/, CI],
  [/^\.(circleci|buildkite|woodpecker|gitlab\/ci|teamcity|semaphore)\//, CI],
  [/^\.woodpecker\.ya?ml$/, CI],
  [/(^|\/)jenkinsfile$/, CI],
  [/(^|\/)\.(claude|cursor|gemini|codex|windsurf|devcontainer)\//, AGENT],
  [
    /(^|\/)(\.mcp\.json|\.claude\.json|\.cursorrules|\.windsurfrules|(claude|agents|gemini)(\.local|\.override)?\.md)$/,
    AGENT,
  ],
  [/^\.github\/copilot-instructions\.md$/, AGENT],
  [/(^|\/)\.vscode\/(tasks|settings|launch)\.json$/, AGENT],
  [/(^|\/)(\.husky|\.githooks)\//, TOOL],
  [
    /(^|\/)(\.gitmodules|\.lfsconfig|\.npmrc|\.yarnrc(\.yml)?|\.ripgreprc|bunfig\.toml|\.pre-commit-config\.yaml|lefthook\.ya?ml)$/,
    TOOL,
  ],
  [/(^|\/)\.gitattributes$/, { ...TOOL, because: 'changes how git treats files', blocks: false }],
  [
    /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|cargo\.lock|poetry\.lock|uv\.lock|pipfile\.lock|gemfile\.lock|composer\.lock|go\.sum|flake\.lock)$/,
    LOCK,
  ],
];

export function sensitivePath(path: string): Finding | undefined {
  const verdict = RULES.find(([rule]) => rule.test(path.toLowerCase()))?.[1];
  return verdict && { path, ...verdict };
}
