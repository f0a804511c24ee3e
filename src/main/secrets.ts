import type { Hall } from '../board/hall.ts';
import type { KnownSecrets } from '../board/known-secrets.ts';
import { SecretStore } from '../board/secret-store.ts';
import { watchCredentials } from '../board/watch-credentials.ts';
import type { Config } from '../config/config.ts';
import type { CredentialFaults } from '../domain/credential-faults.ts';
import { type SecretKind, storedName } from '../domain/secret.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Account } from '../ports/model.ts';
import { orElse } from './or-else.ts';
import { createSecretsKey } from './secrets-key.ts';

interface Needs {
  readonly hall: Hall;
  readonly config: Config;
  /** The configuration as it was last read. */
  readonly current: () => Pick<Config, 'secrets' | 'accounts'>;
  readonly isShared: boolean;
  readonly known: KnownSecrets;
  readonly clock: Clock;
  readonly log: Log;
}

/** The secrets of a running hall: those of its environment and those that it stores. */
export interface Secrets {
  readonly store: SecretStore;
  /** All valid values that a setting refers to, the newest first; looked up at each use. */
  valuesOf(reference: string, kind: SecretKind): readonly string[];
  accountOf(handle: string): Account | undefined;
  /** Looks again at the key, the stored secrets and who needs them. */
  refresh(): Promise<void>;
  stop(): void;
}

export async function openSecrets(needs: Needs): Promise<Secrets> {
  const { hall, config, current, isShared, known, clock, log } = needs;
  const key = createSecretsKey(config.hall, (text) => known.receive(text));
  const store = new SecretStore({ hall, key, isShared, known, clock, log });
  const credentials = watchCredentials({
    ...{ hall, clock, log },
    faults: () => credentialFaults(store, current().accounts),
  });
  store.onRefresh(() => {
    credentials.look().catch((fault: Error) => {
      log.warn('maintenance job failed', { fault: fault.message });
    });
  });

  async function refresh(): Promise<void> {
    await store.refresh();
    await credentials.look();
  }

  function stop(): void {
    store.stop();
    credentials.stop();
  }

  function valuesOf(reference: string, kind: SecretKind): readonly string[] {
    const name = storedName(reference);
    if (name !== undefined) return store.valuesOf(name, kind);
    const value = current().secrets.get(reference);
    return value === undefined ? [] : [value];
  }

  await orElse(refresh(), async () => stop());
  return {
    store,
    valuesOf,
    accountOf(handle) {
      const account = current().accounts.get(handle);
      const [credential] = account ? valuesOf(account.reference, 'invoker_credential') : [];
      return account && credential !== undefined ? { url: account.url, credential } : undefined;
    },
    refresh,
    stop,
  };
}

function credentialFaults(store: SecretStore, accounts: Config['accounts']): CredentialFaults {
  return new Map(
    [...accounts].flatMap(([handle, { reference }]) => {
      const name = storedName(reference);
      const fault = name === undefined ? undefined : store.faultOf(name, 'invoker_credential');
      return fault === undefined
        ? []
        : [[handle, `its credential cannot be used: ${fault}`] as const];
    }),
  );
}
