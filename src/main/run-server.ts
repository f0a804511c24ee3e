import { createLog, type LogTarget } from '../adapters/system/log.ts';
import { applyDeclaration } from '../board/hall.ts';
import type { Config } from '../config/config.ts';
import { ConfigRefused, spellMistake } from '../config/mistake.ts';
import type { Log } from '../ports/log.ts';
import { removeHallFile, writeHallFile } from './hall-file.ts';
import { type Pending, type Server, startServer } from './server.ts';
import type { Signals } from './signals.ts';
import { ownVersion } from './version.ts';

export interface RunNeeds {
  readonly signals: Signals;
  /** Ends the process at once, after a second signal or a bug. */
  readonly exit: (code: number) => void;
  /** Reads the configuration; called at the start and on SIGHUP. */
  readonly load: () => Config;
  readonly target: LogTarget;
  readonly acceptRollback: boolean;
  readonly started: (server: Server, config: Config) => void;
  /** Called on a stop signal, with the number of runs that continue without the hall. */
  readonly stopping: (runs: number, config: Config) => void;
}

/** Runs a hall until a signal stops it or its store fails. Returns the exit code. */
export async function runServer(needs: RunNeeds): Promise<number> {
  let config = needs.load();
  let token: string | null = null;
  const secrets = () => [...config.secrets.values(), ...(token === null ? [] : [token])];
  const log = createLog(needs.target, secrets);
  const bugs = endOnBug(needs, log);
  warn(config, log);
  const end = Promise.withResolvers<number>();
  const server = await startServer({
    config,
    log,
    secrets,
    declaration: () => config.declaration,
    accountOf: (handle) => config.accounts.get(handle),
    acceptRollback: needs.acceptRollback,
    broken: (fault) => {
      log.error('store failed, hall exits', { fault: fault.message });
      end.resolve(FAILED);
    },
  });
  token = server.token;
  const { data, grace } = config.hall;
  const signals = listenForSignals(needs, {
    stop: (signal) => {
      const runs = server.runs();
      log.info('hall stopping', { signal, grace_seconds: grace / 1_000, runs });
      needs.stopping(runs, config);
      end.resolve(STOPPED);
    },
    reread: async () => {
      config = await reread(needs.load, config, { server, log });
    },
  });
  const started_at = new Date().toISOString();
  writeHallFile(data, { url: server.url, pid: process.pid, started_at, version: ownVersion() });
  log.info('hall started', startFacts(server, config));
  needs.started(server, config);
  const result = await end.promise;
  const ending = result === STOPPED ? server.stop() : server.abandon();
  const code = await waitForEnd(ending, { grace, log, pending: () => server.pending() });
  removeHallFile(data);
  signals.release();
  bugs.release();
  log.info('hall stopped', { seq: server.hall.board.seq });
  return result === STOPPED ? code : result;
}

function warn({ warnings }: Config, log: Log): void {
  for (const warning of warnings) log.warn('configuration', { warning });
}

/** Even if something hangs, the process ends shortly after its grace period. */
async function waitForEnd(
  ending: Promise<void>,
  { grace, log, pending }: Shutdown,
): Promise<number> {
  const waiting = setInterval(
    () => log.info('hall waiting to stop', { ...pending() }),
    REPORT_EVERY,
  );
  const late = Promise.withResolvers<number>();
  const timer = setTimeout(() => {
    log.error('hall did not stop in time', { grace_seconds: grace / 1_000 });
    late.resolve(FAILED);
  }, grace + AFTER_GRACE);
  const done = ending.then(
    () => STOPPED,
    (fault: Error) => {
      log.error('hall did not stop cleanly', { fault: fault.message });
      return FAILED;
    },
  );
  const code = await Promise.race([done, late.promise]);
  clearTimeout(timer);
  clearInterval(waiting);
  return code;
}

interface Shutdown {
  readonly grace: number;
  readonly log: Log;
  readonly pending: () => Pending;
}

const REPORT_EVERY = 2_000;

const AFTER_GRACE = 1_000;

/** A bug leaves the hall's memory in an unknown state; only a restart is safe. */
function endOnBug({ signals, exit }: ProcessHooks, log: Log): Listener {
  const end = (fault: Error) => {
    log.error('uncaught exception, hall exits', { fault: fault.message, stack: fault.stack ?? '' });
    exit(FAILED);
  };
  signals.once('uncaughtException', end);
  return { release: () => void signals.off('uncaughtException', end) };
}

type ProcessHooks = Pick<RunNeeds, 'signals' | 'exit'>;

interface Listener {
  /** Removes the listeners. */
  release(): void;
}

const STOPPED = 0;
const FAILED = 1;
const INTERRUPTED = 130;

function startFacts({ url, hall }: Server, { hall: settings, file }: Config) {
  return {
    url,
    store: settings.store.kind,
    data: settings.data,
    file: file ?? '(defaults)',
    auth: settings.auth.mode,
    leads: hall.leading() !== undefined,
    seq: hall.board.seq,
    version: ownVersion(),
  };
}

interface SignalHandlers {
  readonly stop: (signal: string) => void;
  readonly reread: () => Promise<void>;
}

/** The first signal stops the hall gracefully, the second at once. */
function listenForSignals(
  { signals, exit }: ProcessHooks,
  { stop, reread: reload }: SignalHandlers,
): Listener {
  let isStopping = false;
  const end = (signal: NodeJS.Signals) => {
    if (isStopping) {
      exit(INTERRUPTED);
      return;
    }
    isStopping = true;
    stop(signal);
  };
  const hangUp = () => void reload();
  const listeners = { SIGTERM: end, SIGINT: end, SIGHUP: hangUp } as const;
  const each = Object.entries(listeners) as [keyof typeof listeners, typeof end][];
  for (const [signal, listener] of each) signals.on(signal, listener);
  return {
    release() {
      for (const [signal, listener] of each) signals.off(signal, listener);
    },
  };
}

/** If the file has mistakes, the hall keeps its current configuration. */
async function reread(
  load: () => Config,
  before: Config,
  { server, log }: { readonly server: Server; readonly log: Log },
): Promise<Config> {
  try {
    const config = load();
    warn(config, log);
    const isSame = JSON.stringify(config.hall) === JSON.stringify(before.hall);
    if (!isSame) log.warn('hall section changed, restart the hall to apply it', {});
    const leading = server.hall.leading();
    if (leading) await applyDeclaration(leading.writer, config.declaration);
    log.info('configuration reloaded', { projects: config.declaration.projects.length });
    return config;
  } catch (error) {
    const mistakes =
      error instanceof ConfigRefused ? error.mistakes.map(spellMistake) : [String(error)];
    for (const mistake of mistakes)
      log.error('configuration refused, keeping the old one', { mistake });
    return before;
  }
}
