import { randomInt } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type ScriptedModel,
  startScriptedModel,
} from '../../../src/adapters/claude/scripted/server.ts';
import { endRecruits } from '../../../src/main/demo/end-recruits.ts';
import type { CellKind } from '../../support/cell-kinds.ts';
import { gitAs, write } from '../../support/git-fixture.ts';
import { HallFixture, type Json } from '../../support/hall-fixture.ts';
import { HallProcess } from '../../support/hall-process.ts';
import { canary } from './canaries.ts';
import { openSinks, type Sinks } from './sinks.ts';
import { makeOther, makeZoo } from './zoo-repository.ts';

/** Apart from the containers of other suites and halls of this machine. */
export const CONTAINER_PREFIX = `guildhall-test-${process.pid}`;

/** A hall with secrets all around it, a repository that is a zoo, and workers of its own. */
export interface AttackFixture extends AsyncDisposable {
  readonly hall: HallProcess;
  readonly fixture: HallFixture;
  readonly model: ScriptedModel;
  readonly sinks: Sinks;
  /** By where they are. */
  readonly secrets: Readonly<Record<string, string>>;
  /** In the work tree, where an agent may read it: shows that what is found would be seen. */
  readonly inside: string;
  /** Bare repositories. */
  readonly zoo: string;
  readonly other: string;
  /** How long, in seconds, the programs sleep that a hostile agent leaves behind. */
  readonly sleep: string;
  /** Files that were written where nothing may be written. */
  marks(): readonly string[];
  /** Programs of a hostile agent that still run. */
  sleepers(): readonly string[];
  /** Waits until a task has ended and returns its details. */
  through(task: string): Promise<Json>;
}

interface AttackOptions {
  /** Of the cells. */
  readonly kind: CellKind;
  /** The agent; left out, the Agent SDK. */
  readonly command?: readonly string[];
  /** Of the scripted model. */
  readonly script: string | ((paths: readonly string[]) => string);
}

export async function createAttackFixture(options: AttackOptions): Promise<AttackFixture> {
  const { kind, command, script } = options;
  const secrets = { credential: `sk-ant-api03-${canary()}`, environment: canary() };
  await using undo = new AsyncDisposableStack();
  const sinks = undo.use(await openSinks());
  const hall = await HallProcess.create({ env: environmentWith(secrets) });
  undo.use(hall);
  undo.defer(() => endRecruits(join(hall.folder, 'data/worker/recruits')));
  undo.defer(async () => void (await hall.stop('SIGKILL')));
  const loot = layLoot(hall.folder);
  const sleep = String(randomInt(500_000, 900_000));
  const other = makeOther(hall.folder, loot.secrets.other);
  const inside = canary();
  const paths = [...loot.paths, join(hall.folder, 'data/token'), hall.config];
  const zoo = makeZoo(hall.folder, {
    inside,
    pwn: loot.pwn,
    loot: {
      LOOT: paths.join(' '),
      MARKS: loot.marks,
      OTHER: other.path,
      OTHER_TREE: other.tree,
      OWN: join(hall.folder, 'zoo.git'),
      PWN: loot.pwn,
      SINK: String(sinks.port),
      HALL_PORT: new URL(hall.url).port,
      ADDRESSES: sinks.addresses.join(' '),
      SLEEP: sleep,
      KEY: `AKIA${'Q3EGRIVT7ZKLMNPX'}`,
    },
  });
  const played = typeof script === 'string' ? script : script(paths);
  const model = await startScriptedModel({ script: played });
  undo.defer(() => model.close());
  rewrite(hall.config, sections({ kind, model: model.url, command }));
  await hall.start();
  const fixture = undo.use(new HallFixture(hall));
  const resources = undo.move();
  return {
    hall,
    fixture,
    model,
    sinks,
    secrets: { ...secrets, ...loot.secrets, operator: hall.token },
    inside,
    zoo,
    other: other.path,
    sleep,
    sleepers: () => commandLines().filter((line) => line.includes(sleep)),
    through: (task) => untilEnded(fixture, task),
    marks: () => marksIn(loot.marks, other.path, loot.pwned),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

function environmentWith(secrets: { readonly credential: string; readonly environment: string }) {
  return {
    CANARY_KEY: secrets.credential,
    CANARY_ENVIRONMENT: secrets.environment,
    GUILDHALL_CONTAINER_PREFIX: CONTAINER_PREFIX,
    PATH: pathWithBubblewrap(),
  };
}

function pathWithBubblewrap(): string {
  const bubblewrap = process.env['GUILDHALL_TEST_BUBBLEWRAP'];
  const path = process.env['PATH'] ?? '';
  return bubblewrap === undefined ? path : `${dirname(bubblewrap)}${delimiter}${path}`;
}

/** Files of the host, readable for everybody, and places where everybody may write. */
function layLoot(folder: string) {
  const secrets = { home: canary(), beside: canary(), other: canary(), sandbox: canary() };
  const home = join(folder, 'home');
  const marks = join(folder, 'marks');
  const pwn = join(folder, 'pwn');
  const pwned = join(folder, 'pwned');
  write(folder, {
    'home/.ssh/id_ed25519': secrets.home,
    'home/.netrc': secrets.home,
    'beside.txt': secrets.beside,
    'data/worker/runs/beside.txt': secrets.sandbox,
    pwn: `#!/bin/sh\necho "$0 $*" >> '${pwned}'\ncat 2>/dev/null\n`,
  });
  mkdirSync(marks);
  for (const path of [folder, home, pwn]) chmodSync(path, 0o755);
  chmodSync(marks, 0o777);
  const paths = [
    join(home, '.ssh/id_ed25519'),
    join(home, '.netrc'),
    join(folder, 'beside.txt'),
    join(folder, 'data/worker/runs/beside.txt'),
  ];
  return { secrets, paths, marks, pwn, pwned };
}

interface Sections {
  readonly kind: CellKind;
  readonly model: string;
  readonly command: readonly string[] | undefined;
}

function sections({ kind, model, command }: Sections) {
  const type = (name: string) => ({
    git: { name, email: `${name}@guildhall.invalid` },
    model: 'claude-sonnet-4-6',
    ...(command && { command }),
  });
  const project = { isolation: kind.name, crash_requeues: 1, max_workers: 2 };
  return {
    types: { boss: type('boss'), dev: type('dev'), reviewer: type('reviewer') },
    invokers: [{ handle: 'ada', credential: '$CANARY_KEY', weekly_cap: 1000, url: model }],
    projects: [
      { ...project, name: 'zoo', repo: 'file:./zoo.git', ci: 'none' },
      { ...project, name: 'other', repo: 'file:./other.git' },
    ],
  };
}

function rewrite(config: string, more: object): void {
  writeFileSync(config, JSON.stringify({ ...JSON.parse(readFileSync(config, 'utf8')), ...more }));
}

function marksIn(marks: string, other: string, pwned: string): readonly string[] {
  const triggered = existsSync(pwned) ? [readFileSync(pwned, 'utf8')] : [];
  const refs = gitAs(other, 'for-each-ref', '--format=%(refname)').split('\n');
  return [...triggered, ...readdirSync(marks), ...refs.filter((ref) => ref !== 'refs/heads/main')];
}

function commandLines(): readonly string[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return [readFileSync(`/proc/${name}/cmdline`, 'latin1')];
    } catch {
      return [];
    }
  });
}

/** A busy machine takes long for a dozen cells. */
const PATIENCE = 900_000;

async function untilEnded(fixture: HallFixture, task: string): Promise<Json> {
  const deadline = performance.now() + PATIENCE;
  for (;;) {
    const detail = await fixture.taskDetail(task);
    if (['completed', 'failed'].includes(detail.task.state)) return detail;
    if (performance.now() > deadline) throw new Error(`not through: ${JSON.stringify(detail)}`);
    await pause(200);
  }
}
