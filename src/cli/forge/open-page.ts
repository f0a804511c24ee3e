import { spawn } from 'node:child_process';

/** Opens a page in the browser of this machine. Without one nothing happens: the address is printed too. */
export function openPage(url: string): void {
  const program = process.platform === 'darwin' ? 'open' : 'xdg-open';
  const child = spawn(program, [url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
