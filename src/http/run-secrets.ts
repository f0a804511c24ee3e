import type { Board } from '../domain/board.ts';
import type { Env } from '../domain/env.ts';
import { type Refusal, refuse } from '../domain/refusal.ts';
import type { Run } from '../domain/run.ts';
import type { Caller } from './caller.ts';

/** The value of a reference such as `$NAME`, if the configuration has it. */
export type SecretOf = (reference: string) => string | undefined;

/** The secrets of a run's agent, for the worker that holds the run. */
export function secretsOfRun(
  { board, secretOf }: { readonly board: Board; readonly secretOf: SecretOf },
  run: Run,
  caller: Caller,
): Env | Refusal {
  if (caller.kind !== 'worker') {
    return refuse('not_your_run', 'secrets go only to the worker of a run, by its own token');
  }
  const type = board.types.get(board.instances.get(run.instance)?.type ?? '');
  const env: Record<string, string> = {};
  for (const [name, reference] of Object.entries(type?.settings.secretEnv ?? {})) {
    const value = secretOf(reference);
    if (value === undefined) {
      const because = `the configuration of this node has no ${reference}, which secret_env of type ${type?.name} needs`;
      return refuse('missing_secret', because);
    }
    env[name] = value;
  }
  return env;
}
