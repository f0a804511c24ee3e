import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type ScriptedModel,
  startScriptedModel,
} from '../../src/adapters/claude/scripted/server.ts';
import { withoutAgentSdk } from './agent-sdk-part.ts';
import { buildOrSayWhy, KINDS, sandboxNeeds } from './cell-kinds.ts';
import { gitAs, PATH, write } from './git-fixture.ts';
import { HallFixture, type Json, until } from './hall-fixture.ts';
import { HallProcess } from './hall-process.ts';
import { ifExists } from './if-exists.ts';
import { endProcesses, processesWith } from './processes-with.ts';
import { isKeptByOthers, type TempFolder, tempFolder } from './temp-folder.ts';

/** Why this machine cannot run whole tasks, or false. */
export async function whyNoWorkers(): Promise<string | false> {
  const built = await buildOrSayWhy(KINDS.sandbox);
  return 'missing' in built ? built.missing : withoutAgentSdk();
}

export interface WorkersOptions {
  /** The steps of the model in one scene, or complete scenes. */
  readonly script: string;
  readonly project?: object;
  readonly type?: object;
  /** All types of agents, instead of the default one. */
  readonly types?: Readonly<Record<string, object>>;
  /** A real model provider, instead of the scripted model. */
  readonly provider?: Provider;
  /** Who pays, instead of one invoker with that provider. */
  readonly invokers?: readonly object[];
  /** Variables of the hall's process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly forges?: Readonly<Record<string, object>>;
  /** Settings under `hall:`. */
  readonly hall?: object;
  /** False for a machine on which no isolation is possible. */
  readonly isolates?: boolean;
  /** Files beside the configuration, such as agents.yml and persona files. */
  readonly beside?: Readonly<Record<string, string>>;
  /** Adds files to the repository before the first commit. */
  readonly files?: (work: string) => void;
}

export interface Provider {
  readonly credential: string;
  /** Omitted for the provider's default address. */
  readonly url?: string;
}

/** Where the git of the hall and its workers can be held. */
export type Hold = 'before-fetch' | 'before-push' | 'after-push';

/** A hall process that starts its own workers, for one project with a repository of its own. */
export class WorkersFixture implements AsyncDisposable {
  readonly hall: HallProcess;
  readonly model: ScriptedModel;
  readonly upstream: string;
  readonly #folder: TempFolder;
  #fixture: HallFixture | undefined;
  #opening: NodeJS.Timeout | undefined;

  private constructor(hall: HallProcess, model: ScriptedModel, folder: TempFolder) {
    this.hall = hall;
    this.model = model;
    this.#folder = folder;
    this.upstream = folder.file('shop.git');
  }

  static async open(options: WorkersOptions): Promise<WorkersFixture> {
    const folder = tempFolder();
    if (options.isolates === false) refuseIsolation(folder);
    const model = await startScriptedModel({ script: wholeScript(options.script) });
    const provider = options.provider ?? { credential: 'no-model-is-behind-this', url: model.url };
    makeUpstream(folder.file('shop.git'), options.files);
    mkdirSync(folder.file('tmp'));
    write(folder.path, options.beside ?? {});
    const hall = await HallProcess.create({
      folder: folder.path,
      // A worker leaves when its hall is gone for longer than this, which a restart on a busy machine is not.
      hall: { heartbeat_seconds: 0.3, dead_after_seconds: 120, ...options.hall },
      env: {
        PATH: `${holdingGit(folder)}:${dirname(sandboxNeeds().bubblewrap ?? '/usr/bin/bwrap')}:${PATH}`,
        TMPDIR: folder.file('tmp'),
        MODEL_KEY: provider.credential,
        ...options.env,
      },
      invokers: options.invokers ?? [
        {
          handle: 'ada',
          credential: '$MODEL_KEY',
          weekly_cap: 1000,
          ...(provider.url !== undefined && { url: provider.url }),
        },
      ],
      types: options.types ?? { dev: { ...DEV, ...options.type } },
      ...(options.forges && { forges: options.forges }),
      declared: [
        {
          name: 'shop',
          repo: `file:${folder.file('shop.git')}`,
          isolation: 'sandbox',
          ...options.project,
        },
      ],
    });
    const stage = new WorkersFixture(hall, model, folder);
    await hall.start();
    return stage;
  }

  /** The PATH of the hall and of its workers. */
  get path(): string {
    return `${this.#folder.file('bin')}:${dirname(sandboxNeeds().bubblewrap ?? '/usr/bin/bwrap')}:${PATH}`;
  }

  get fixture(): HallFixture {
    this.#fixture ??= new HallFixture(this.hall);
    return this.#fixture;
  }

  async post(task: object = {}): Promise<string> {
    const body = { project: 'shop', title: 'Add a line', ...task };
    return (await this.fixture.post('/v1/tasks', body)).tasks[0].id;
  }

  /** A task, once it is in this state. */
  reaches(id: string, state: string): Promise<Json> {
    return until(`${id} is ${state}`, async () => {
      const task = await this.fixture.task(id);
      if (task.state === 'failed' && state !== 'failed') throw new Error(JSON.stringify(task));
      return task.state === state && task;
    });
  }

  async transcript(id: string): Promise<string> {
    const { entries } = await this.fixture.get(`/v1/tasks/${id}/log`);
    return entries.map(({ text }: { text: string }) => text).join('\n');
  }

  /** The tool results that the model got in a scene, turn by turn. */
  resultsIn(fixture: string): readonly string[] {
    const calls = this.model.requests.filter((request) => request.scene === fixture);
    return calls.at(-1)?.conversation?.turns.map(({ results }) => results) ?? [];
  }

  /** How the runs of a task ended, oldest first. */
  async endings(id: string): Promise<readonly Json[]> {
    const ended = (await this.fixture.events(id)).filter(({ type }) => type === 'RunEnded');
    return ended.map(({ facts }) => facts.ending);
  }

  /** The branch of the only thread, and how often the repository saw it move. */
  pushed(): { readonly branch: string; readonly updates: number }[] {
    const refs = gitAs(this.upstream, 'for-each-ref', '--format=%(refname)', 'refs/heads/hall');
    return refs
      .split('\n')
      .filter((ref) => ref !== '')
      .map((ref) => ({
        branch: ref.replace('refs/heads/', ''),
        updates: readFileSync(join(this.upstream, 'logs', ref), 'utf8')
          .trim()
          .split('\n').length,
      }));
  }

  fileOn(branch: string, path: string): string {
    return gitAs(this.upstream, 'show', `${branch}:${path}`);
  }

  /** Holds every git of the hall and its workers at this point, until `letGo`. */
  hold(where: Hold): void {
    write(this.#folder.path, { [`hold-${where}`]: '' });
  }

  letGo(where: Hold): void {
    rmSync(this.#folder.file(`hold-${where}`), { force: true });
  }

  async held(where: Hold): Promise<void> {
    await until(`a git is held ${where}`, () => existsSync(this.#folder.file(`held-${where}`)));
    rmSync(this.#folder.file(`held-${where}`));
  }

  /** The work tree of the only run, once that of the run before it is gone. */
  async tree(): Promise<string> {
    return until('there is one work tree', () => {
      const [tree, ...others] = this.#trees();
      return others.length === 0 && tree;
    });
  }

  /** The work tree of an agent that waits: see WAITS. */
  async waitingAgent(): Promise<string> {
    return until('an agent waits', () => this.#trees().find((tree) => isWaiting(tree)));
  }

  /** Lets every agent continue that waits now or later. */
  letAgentsGo(): void {
    this.#opening ??= setInterval(() => {
      for (const tree of this.#trees().filter(isWaiting)) continueAgent(tree);
    }, 20);
  }

  recruits(): { readonly pid: number; readonly instance: string; readonly file: string }[] {
    const folder = join(this.hall.folder, 'data/worker/recruits');
    return namesIn(folder)
      .filter((name) => name.endsWith('.json'))
      .flatMap((file) => {
        const text = ifExists(() => readFileSync(join(folder, file), 'utf8'));
        return text === undefined ? [] : [{ ...JSON.parse(text), file }];
      });
  }

  /** The process of the only worker. */
  async worker(): Promise<number> {
    const { pid } = await until('a worker was started', () => this.recruits()[0]);
    return pid;
  }

  /** Processes of this hall other than the hall itself. */
  running(): readonly { readonly pid: number; readonly command: string }[] {
    return processesWith(this.#folder.path).filter(({ pid }) => pid !== this.hall.pid);
  }

  /** Drains all workers and returns what is left when they are gone. */
  async whatIsLeft(): Promise<readonly string[]> {
    const { workers } = await this.fixture.get('/v1/workers');
    for (const { id } of workers) await this.fixture.caller.post(`/v1/workers/${id}/drain`);
    await until('the workers have gone', () => this.recruits().length === 0);
    const cells = () => foldersIn(join(this.hall.folder, 'data/worker/runs'));
    await until('what they left was looked at', () => cells().length === 0);
    return [
      ...(await this.leftRunning()).map(({ pid, command }) => `process ${pid}: ${command}`),
      ...namesIn(this.#folder.file('tmp'))
        .filter((name) => !isKeptByOthers(name))
        .map((name) => `temporary ${name}`),
    ];
  }

  /** What still runs after a while: the calls of a hall to git, du and the engine end soon. */
  async leftRunning(): Promise<ReturnType<WorkersFixture['running']>> {
    const deadline = performance.now() + 120_000;
    for (;;) {
      const left = this.running();
      if (left.length === 0 || performance.now() > deadline) return left;
      await pause(50);
    }
  }

  /** Rescued work by run, with the content of the file. */
  rescued(file: string): Readonly<Record<string, string>> {
    const mirrors = join(this.hall.folder, 'data/worker/git/mirrors');
    const found = foldersIn(mirrors).flatMap((name) => {
      const dir = join(mirrors, name);
      const refs = gitAs(dir, 'for-each-ref', '--format=%(refname)', 'refs/hall/rescue');
      return refs
        .split('\n')
        .filter((ref) => ref !== '')
        .map((ref) => [ref.replace('refs/hall/rescue/', ''), gitAs(dir, 'show', `${ref}:${file}`)]);
    });
    return Object.fromEntries(found);
  }

  /** The folder with everything that the workers of the hall have on this machine. */
  get runFolders(): string {
    return join(this.hall.folder, 'data/worker');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#opening);
    this.#fixture?.[Symbol.dispose]();
    await this.hall[Symbol.asyncDispose]();
    await endProcesses(this.#folder.path);
    await this.model.close();
    this.#folder[Symbol.dispose]();
  }

  #trees(): string[] {
    const runs = join(this.hall.folder, 'data/worker/runs');
    return foldersIn(runs).flatMap((worker) =>
      namesIn(join(runs, worker)).map((run) => join(runs, worker, run, 'cell/work')),
    );
  }
}

/** A type of agent as in the file. */
export const DEV = {
  git: { name: 'Hamlet', email: 'hamlet@hall.test' },
  model: 'claude-sonnet-4-6',
};

/** A command with which an agent reports that it waits, and then waits to be released. */
export const WAITS = 'touch here; until [ -e go ]; do sleep 0.05; done; rm here go';

/** Steps of an agent that adds a file, perhaps waits, commits it if that is new, and reports. */
export function adding(file: string, { waits = false } = {}): string {
  return `
      - use: { tool: Bash, input: { command: "echo added > ${file}; git add ${file}; git commit -qm 'Add ${file}' || true" } }
      ${waits ? `- use: { tool: Bash, input: { command: "${WAITS}" } }` : ''}
      - use: { tool: mcp__hall__report, input: { outcome: pr_created, summary: Added ${file}. } }
      - end`;
}

function wholeScript(script: string): string {
  if (script.trimStart().startsWith('scenes:')) return script;
  return `scenes:\n  - name: only\n    steps:\n      ${script.trim()}`;
}

function isWaiting(tree: string): boolean {
  return existsSync(join(tree, 'here')) && !existsSync(join(tree, 'go'));
}

function makeUpstream(bare: string, files: WorkersOptions['files']): void {
  const work = `${bare}.work`;
  write(work, { 'README.md': '# Shop\n' });
  files?.(work);
  gitAs(work, 'init', '--quiet', '--initial-branch=main', '.');
  gitAs(work, 'add', '-A');
  gitAs(work, 'commit', '--quiet', '-m', 'Open the shop');
  gitAs(work, 'clone', '--quiet', '--bare', '.', bare);
  gitAs(bare, 'config', 'core.logAllRefUpdates', 'true');
}

/**
 * A git that can be held before or after it runs. Before it runs, it checks that its caller is still alive: a
 * killed caller would not have started it.
 */
function holdingGit(folder: TempFolder): string {
  const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
  const script = `#!/bin/sh
verb=
for word in "$@"; do case "$word" in fetch|push) verb=$word; break;; esac; done
hold() {
  [ -e '${folder.path}/hold-'$1 ] || return 0
  touch '${folder.path}/held-'$1
  while [ -e '${folder.path}/hold-'$1 ]; do sleep 0.05; done
}
caller=$PPID
[ -n "$verb" ] || exec '${real}' "$@"
hold before-$verb
kill -0 $caller 2>/dev/null || exit 1
'${real}' "$@"
code=$?
hold after-$verb
exit $code
`;
  write(folder.file('bin'), { git: script });
  chmodSync(folder.file('bin/git'), 0o755);
  return folder.file('bin');
}

function refuseIsolation(folder: TempFolder): void {
  const message = 'No permissions to create a new namespace';
  for (const program of ['bwrap', 'podman', 'docker']) {
    write(folder.file('bin'), {
      [program]: `#!/bin/sh\necho '${program}: ${message}' >&2\nexit 1\n`,
    });
    chmodSync(folder.file(`bin/${program}`), 0o755);
  }
}

/** The tree of a killed worker may disappear at any moment. */
function continueAgent(tree: string): void {
  ifExists(() => writeFileSync(join(tree, 'go'), ''));
}

function foldersIn(folder: string): string[] {
  const entries = ifExists(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

function namesIn(folder: string): string[] {
  return ifExists(() => readdirSync(folder)) ?? [];
}
