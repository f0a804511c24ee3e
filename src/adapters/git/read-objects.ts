import type { Git } from './run-git.ts';

interface Needs {
  readonly git: Git;
  readonly dir: string;
}

interface GitObject {
  readonly name: string;
  readonly kind: string;
  readonly raw: Buffer;
}

/** Calls `take` with each object; one that the repository lacks is a fault. */
export async function readObjects(
  { git, dir }: Needs,
  { names, doing }: { readonly names: readonly string[]; readonly doing: string },
  take: (object: GitObject) => void,
): Promise<void> {
  for (let from = 0; from < names.length; from += BATCH) {
    const stdin = `${names.slice(from, from + BATCH).join('\n')}\n`;
    const out = await git.run({ dir, doing, args: ['cat-file', '--batch'], stdin });
    for (const object of objectsIn(out)) take(object);
  }
}

/** Keeps the output of one git below its limit: folders of 500 files come to 20 kB each. */
const BATCH = 2_000;

/** A line with name, kind and size, then that many bytes and a line feed. */
function* objectsIn(out: Buffer): Generator<GitObject> {
  for (let at = 0; at < out.length; ) {
    const line = out.indexOf('\n', at);
    const [name = '', kind = '', size] = out.toString('utf8', at, line).split(' ');
    at = line + 1;
    if (size === undefined) throw new Error(`object ${name} is ${kind}`);
    const end = at + Number(size);
    yield { name, kind, raw: out.subarray(at, end) };
    at = end + 1;
  }
}
