import type { ChildProcess } from 'node:child_process';

/** A server that would outlive an interrupted bench is killed with it. */
export function endWithUs(child: ChildProcess): void {
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
}
