import { nearest } from './did-you-mean.ts';

/** Why a repository cannot be meant: it names a forge that the configuration does not declare. */
export function unknownForge(repo: string, declared: readonly string[]): string | undefined {
  const known = ['github', 'file', ...declared];
  const forge = repo.split(':', 1)[0] ?? '';
  if (known.includes(forge)) return undefined;
  const suggestion = nearest(forge, known);
  const hint = suggestion ? `did you mean ${suggestion}?` : `known: ${known.join(', ')}`;
  return `names a forge that is not declared under forges (${hint})`;
}

/** Why an approver cannot be meant: approvals come from agents of a declared type. */
export function unknownApprover(approver: string, types: readonly string[]): string | undefined {
  if (types.includes(approver)) return undefined;
  return `is not a declared type (known: ${types.join(', ')})`;
}
