import { isDeepStrictEqual } from 'node:util';
import { createLog, type LogTarget } from '../adapters/system/log.ts';
import { applyDeclaration } from '../board/hall.ts';
import type { Config } from '../config/config.ts';
import { ConfigRefused, spellMistake } from '../config/mistake.ts';
import type { Log } from '../ports/log.ts';
import { removeHallFile, writeHallFile } from './hall-file.ts';
import { type Server, startServer } from './server.ts';
import {
  endOnBug,
  FAILED,
  listenForSignals,
  type ShutdownNeeds,
  STOPPED,
  waitForEnd,
} from './shutdown.ts';
import { ownVersion } from './version.ts';

export interface RunNeeds extends ShutdownNeeds {
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
    secretOf: (reference) => config.secrets.get(reference),
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
  const { url } = server;
  writeHallFile(data, { url, pid: process.pid, started_at, version: ownVersion() }, log);
  log.info('hall started', startFacts(server, config));
  for (const because of server.cannotStart()) log.warn('agents cannot start', { because });
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

/** If the file has mistakes, the hall keeps its current configuration. */
async function reread(
  load: () => Config,
  before: Config,
  { server, log }: { readonly server: Server; readonly log: Log },
): Promise<Config> {
  try {
    const config = load();
    warn(config, log);
    if (!isDeepStrictEqual(config.hall, before.hall))
      log.warn('hall section changed, restart the hall to apply it', {});
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
