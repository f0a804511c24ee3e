import type { ForgeFindings } from '../api/forges.ts';
import { readHallFile } from '../main/hall-file.ts';
import type { Cli } from './command.ts';
import { type Found, good } from './doctor-finding.ts';

type ForgeFinding = ForgeFindings['findings'][number];

/** The running hall tries out every right, webhook and label: only it can read the stored credentials. */
export async function forges(cli: Cli): Promise<Found> {
  const { forges: declared } = await cli.inspectedConfig();
  const names = Object.keys(declared);
  if (names.length === 0) return good('none is connected');
  const { data } = await cli.hall();
  if (!readHallFile(data)) {
    const says = `${names.join(', ')} can be tried out only by a running hall`;
    return { health: 'skipped', says, fix: null };
  }
  const findings: ForgeFinding[] = [];
  for (const name of names) findings.push(...(await findingsOf(cli, name)));
  return together(findings);
}

async function findingsOf({ client }: Cli, name: string): Promise<readonly ForgeFinding[]> {
  try {
    return (await client().call('checkForge', { path: { name } })).findings;
  } catch (error) {
    const says = error instanceof Error ? error.message : String(error);
    const fix = 'if the configuration changed, let the hall read it again: kill -HUP, or a restart';
    return [{ about: name, health: 'bad', says, fix }];
  }
}

/** As bad as the worst of them; each on a line of its own, with its fix. */
function together(findings: readonly ForgeFinding[]): Found {
  const order = ['good', 'odd', 'bad'] as const;
  const health = order.findLast((each) => findings.some((finding) => finding.health === each));
  const fixes = new Set(findings.flatMap(({ fix, about }) => (fix ? [`${about}: ${fix}`] : [])));
  return {
    health: health ?? 'good',
    says: findings.map(({ about, says }) => `${about}: ${says}`).join('\n'),
    fix: fixes.size === 0 ? null : [...fixes].join('; '),
  };
}
