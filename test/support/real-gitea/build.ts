import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { BUILT, builtGitea, GITEA, type GoProgram, OLDEST_GO, PLACE, RUNNER } from './programs.ts';

/**
 * Builds Gitea and its runner into the cache of this clone, once. It takes about ten minutes of CPU time and 2.5 GB
 * for Go's module cache, so no suite does it.
 *
 * The modules are compared with the sums above, which are those of Go's checksum database; what they need is
 * verified by Go with their go.sum and that database.
 */
async function build(): Promise<void> {
  if (!('missing' in builtGitea())) return report(`already there: ${PLACE}`);
  const go = goVersion();
  mkdirSync(PLACE, { recursive: true });
  for (const program of [GITEA, RUNNER]) await buildProgram(program);
  const sums = [GITEA.sum, RUNNER.sum];
  writeFileSync(BUILT, `${JSON.stringify({ go, sums, at: new Date().toISOString() })}\n`);
  report(`built into ${PLACE}`);
}

async function buildProgram(program: GoProgram): Promise<void> {
  const { name, cgo, flags, needs } = program;
  const module = downloaded(program);
  const source = join(PLACE, `${name}-source`);
  report(
    `${name}: copying the module, because replace directives need a folder that can be written`,
  );
  rmSync(source, { recursive: true, force: true });
  cpSync(module, source, { recursive: true });
  spawnSync('chmod', ['-R', 'u+w', source]);
  const output = join(PLACE, name);
  const args = ['build', '-v', '-trimpath', '-buildvcs=false', '-mod=mod', ...flags, '-o', output];
  await compile(name, [...args, '.'], { source, cgo });
  for (const folder of needs) {
    const to = join(PLACE, 'static', folder);
    rmSync(to, { recursive: true, force: true });
    cpSync(join(source, folder), to, { recursive: true });
  }
  rmSync(source, { recursive: true, force: true });
}

/** The folder of the module, whose sum must be the one that is written here. */
function downloaded({ name, module, version, sum }: GoProgram): string {
  report(`${name}: downloading ${module} ${version}`);
  const { status, stdout, stderr } = spawnSync(
    'go',
    ['mod', 'download', '-json', `${module}@${version}`],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`${module}@${version} cannot be had: ${stderr || stdout}`);
  const { Dir: folder, Sum: found } = JSON.parse(stdout);
  if (found !== sum) throw new Error(`${module}@${version} is ${found}, not ${sum}`);
  return folder;
}

const REPORT_EVERY = 100;

async function compile(
  name: string,
  args: readonly string[],
  { source, cgo }: { readonly source: string; readonly cgo: boolean },
): Promise<void> {
  const env = { ...process.env, CGO_ENABLED: cgo ? '1' : '0', GOFLAGS: '' };
  const child = spawn('go', args, { cwd: source, env, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'close');
  const last: string[] = [];
  let packages = 0;
  for await (const line of createInterface({ input: child.stderr })) {
    packages += 1;
    last.push(line);
    if (last.length > 20) last.shift();
    if (packages % REPORT_EVERY === 0) report(`${name}: ${packages} packages, now ${line}`);
  }
  const [code] = await ended;
  if (code !== 0) throw new Error(`go ${args.join(' ')} failed:\n${last.join('\n')}`);
  report(`${name}: done, ${packages} packages`);
}

function goVersion(): string {
  const { stdout, status } = spawnSync('go', ['env', 'GOVERSION'], { encoding: 'utf8' });
  const wanted = OLDEST_GO.join('.');
  if (status !== 0) throw new Error(`go is not on the PATH; install Go ${wanted} or newer`);
  const found = stdout.trim();
  const parts = found.replace(/^go/, '').split('.').map(Number);
  const at = OLDEST_GO.findIndex((part, n) => part !== (parts[n] ?? 0));
  const isOlder = at !== -1 && (parts[at] ?? 0) < (OLDEST_GO[at] ?? 0);
  if (isOlder) throw new Error(`this is ${found}; Gitea needs Go ${wanted} or newer`);
  return found;
}

const started = performance.now();

function report(line: string): void {
  const seconds = ((performance.now() - started) / 1_000).toFixed(0).padStart(4);
  process.stdout.write(`${seconds} s  ${line}\n`);
}

if (import.meta.main) await build();
