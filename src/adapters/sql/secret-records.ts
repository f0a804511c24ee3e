import type { SecretValue } from '../../ports/store.ts';
import type { RunQuery } from './dialect.ts';

type SecretCells = readonly [name: string, sealed: string, previous: string | null];

export async function secretValues(runQuery: RunQuery): Promise<readonly SecretValue[]> {
  const sql = 'SELECT name, sealed, previous FROM secret_value ORDER BY name';
  const cells = await runQuery<SecretCells>(sql, []);
  return cells.map(([name, sealed, previous]) => ({ name, sealed, previous }));
}
