import { createLog, type LogTarget } from '../adapters/system/log.ts';
import { KnownSecrets } from '../board/known-secrets.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../ports/log.ts';
import { removeHallFile, writeHallFile } from './hall-file.ts';
import { LiveConfig } from './live-config.ts';
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
  readonly load: () => Promise<Config>;
  readonly target: LogTarget;
  readonly acceptRollback: boolean;
  readonly started: (server: Server, config: Config) => void;
  /** Called on a stop signal, with the number of runs that continue without the hall. */
  readonly stopping: (runs: number, config: Config) => void;
}

/** Runs a hall until a signal stops it or its store fails. Returns the exit code. */
export async function runServer(needs: RunNeeds): Promise<number> {
  const live = await LiveConfig.open(needs.load);
  const config = live.current;
  let token: string | null = null;
  const known = new KnownSecrets();
  const secrets = () => [
    ...live.current.secrets.values(),
    ...(token === null ? [] : [token]),
    ...known.values(),
  ];
  const log = createLog(needs.target, secrets);
  const bugs = endOnBug(needs, log);
  live.report(log);
  const end = Promise.withResolvers<number>();
  const server: Server = await startServer({
    config,
    log,
    secrets,
    known,
    current: () => live.current,
    catalogMistakes: () => live.catalogMistakes(),
    reloadConfig: () => reread({ live, server, log }),
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
      needs.stopping(runs, live.current);
      end.resolve(STOPPED);
    },
    reread: async () => void (await reread({ live, server, log })),
  });
  const catalog = live.watchCatalog({ server, log });
  const started_at = new Date().toISOString();
  const { url } = server;
  writeHallFile(data, { url, pid: process.pid, started_at, version: ownVersion() }, log);
  log.info('hall started', startFacts(server, config));
  for (const because of server.cannotStart()) log.warn('agents cannot start', { because });
  needs.started(server, config);
  const result = await end.promise;
  catalog.stop();
  const ending = result === STOPPED ? server.stop() : server.abandon();
  const code = await waitForEnd(ending, { grace, log, pending: () => server.pending() });
  removeHallFile(data);
  signals.release();
  bugs.release();
  log.info('hall stopped', { seq: server.hall.board.seq });
  return result === STOPPED ? code : result;
}

interface Rereading {
  readonly live: LiveConfig;
  readonly server: Server;
  readonly log: Log;
}

/** The file, and the secrets that its entries name. Returns what is wrong with it. */
async function reread({ live, server, log }: Rereading): Promise<readonly string[]> {
  const mistakes = await live.reload({ server, log });
  await server.refreshSecrets().catch((fault: Error) => {
    log.warn('could not read the secrets', { fault: fault.message });
  });
  return mistakes;
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
