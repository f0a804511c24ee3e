import { visible } from '../../api/escape-control-characters.ts';
import type { Cli } from '../command.ts';
import { plural } from '../plural.ts';
import type { AddedForge, ForgeWish } from './added-forge.ts';

type Result = AddedForge & Pick<ForgeWish, 'name' | 'kind' | 'url'>;

export function connectionText({ localized }: Cli, result: Result): string {
  const { name, url, account, file, edit, saved, secrets, repositories, next } = result;
  const change = saved ? `wrote ${file}` : `would change ${file}`;
  const lines = [
    account === null ? `${name} is ${url}` : `${name} is ${url}, the hall acts there as ${account}`,
    edit === '' ? `${file} has the entry already` : `${change}:\n${edit}`,
    ...(secrets.length > 0 ? [`stored ${secrets.join(', ')}, encrypted`] : []),
    ...repositories.map(repositoryText),
    ...next.map((step) => `next: ${step}`),
  ];
  return localized(lines.map((line) => line.split('\n').map(visible).join('\n')).join('\n'));
}

function repositoryText(repository: AddedForge['repositories'][number]): string {
  const { repo, labels, hook, hook_proven: isProven, says, failure } = repository;
  if (failure !== null) return `${repo}: ${failure}`;
  const { created, repaired } = labels;
  const seeded = [
    ...(created.length > 0 ? [`${plural(created.length, 'label')} created`] : []),
    ...(repaired.length > 0 ? [`${plural(repaired.length, 'label')} repaired`] : []),
  ];
  const labelText = seeded.join(', ') || 'all labels there';
  if (hook === 'none') return `${repo}: ${labelText}; no webhook: ${says}`;
  const proof = isProven
    ? 'a test delivery arrived'
    : 'no test delivery arrived: check that the forge reaches hall.public_url';
  return `${repo}: ${labelText}; webhook ${hook === 'unchanged' ? 'there already' : hook}, ${proof}`;
}
