import { openSqlite } from '../../src/adapters/sqlite/open.ts';
import { History } from './history.ts';
import { dice, settleIn, wander } from './story.ts';

/**
 * Opens a database in a process of its own and writes groups until it is killed or a write fails.
 * Prints `open`, then the head after each group that was answered, then how it ended.
 *
 *   node sqlite-writer.ts <path> <groups>
 */
const [path = '', groups = '0'] = process.argv.slice(2);

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

try {
  const store = await openSqlite({ path, checkUpTo: 2 ** 30 });
  print('open');
  const history = settleIn(new History());
  const roll = dice(3);
  for (let n = 0; n < Number(groups); n += 1) {
    for (let events = 0; events < 10; events += 1) wander(history, roll);
    print(`ack ${(await history.commit(store)).seq}`);
  }
  print('written');
  process.stdin.resume();
  process.stdin.once('end', () => void store.close().then(() => print('closed')));
} catch (error) {
  print(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  process.exitCode = 1;
}
