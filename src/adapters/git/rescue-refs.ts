import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockMirror } from './mirror.ts';
import type { Git } from './run-git.ts';

export const RESCUE_REFS = 'refs/hall/rescue/';

/** Work that was kept instead of pushed. */
export interface Rescued {
  readonly run: string;
  readonly ref: string;
  readonly commit: string;
  /** When it was kept, in milliseconds since 1970. */
  readonly at: number;
}

interface Needs {
  readonly git: Git;
  readonly path: string;
}

export async function listRescued({ git }: Pick<Needs, 'git'>, dir: string): Promise<Rescued[]> {
  const args = ['for-each-ref', '--format=%(objectname) %(refname)', RESCUE_REFS];
  const listed = await git.text({ dir, doing: 'listing rescued work', args });
  return listed.split('\n').flatMap((line) => {
    const [commit = '', ref] = line.split(' ');
    if (ref === undefined) return [];
    const run = ref.slice(RESCUE_REFS.length);
    return [{ run, ref, commit, at: rescueTime(dir, run) }];
  });
}

/** Only work kept before `before`; its objects stay in the mirror. */
export async function forgetRescued(needs: Needs, dir: string, before: number): Promise<string[]> {
  const old = (await listRescued(needs, dir)).filter(({ at }) => at < before);
  if (old.length === 0) return [];
  using lock = await lockMirror(needs, dir);
  for (const { run, ref, commit } of old) {
    const args = ['update-ref', '-d', ref, commit];
    await needs.git.run({ dir, lock, doing: `forgetting ${ref}`, args });
    rmSync(join(dir, RESCUE_TIMES, run), { force: true });
  }
  return old.map(({ ref }) => ref);
}

export function recordRescueTime(dir: string, run: string): void {
  mkdirSync(join(dir, RESCUE_TIMES), { recursive: true });
  writeFileSync(join(dir, RESCUE_TIMES, run), String(Date.now()));
}

const RESCUE_TIMES = 'hall-rescued';

/** A kill between the ref and the note leaves no time; treat such work as kept just now. */
function rescueTime(dir: string, run: string): number {
  const file = join(dir, RESCUE_TIMES, run);
  if (!existsSync(file)) recordRescueTime(dir, run);
  return Number(readFileSync(file, 'utf8'));
}
