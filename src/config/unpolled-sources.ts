import { operatorCommand } from '../domain/operator-command.ts';
/** A warning about sources that are accepted but not polled; undefined if there are none. */
export function unpolledSources(sources: readonly { readonly kind: string }[]): string | undefined {
  const kinds = sources.map(({ kind }) => kind).filter((kind) => kind !== 'api');
  if (kinds.length === 0) return undefined;
  return (
    `${kinds.join(' and ')} will not be polled: this version has no task sources yet; ` +
    `post tasks over the API or with: ${operatorCommand('task add')}`
  );
}
