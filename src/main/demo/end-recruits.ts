import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Workers outlive the hall that started them, so a demo must end its own; their cells end with them. */
export async function endRecruits(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    const text = readFileSync(join(folder, file), 'utf8');
    const { pid, temporary }: { pid: number; temporary: string } = JSON.parse(text);
    if (pid > 1) kill(pid);
    rmSync(temporary, { recursive: true, force: true });
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
