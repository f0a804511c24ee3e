import { z } from 'zod';
import { MODEL_VARIABLES, RESERVED_VARIABLES } from '../domain/env.ts';
import { text } from './fields.ts';

export const VariableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, 'must be the name of an environment variable');

const MODEL_VARIABLE = 'is set by the hall for agents whose model calls pass its gateway';

/** Plain variables of a type. Its other settings decide whether it may set those of the model. */
export const TypeEnvInput = z.record(VariableName, text(4_000)).superRefine((env, context) => {
  for (const [name, value] of Object.entries(env)) {
    const fault = faultInVariable(name, value);
    if (fault !== null) context.addIssue({ code: 'custom', path: [name], message: fault });
  }
});

/** Plain variables of a project, for the programs of all its runs and checks. */
export const EnvInput = TypeEnvInput.superRefine((env, context) => {
  for (const name of Object.keys(env).filter((each) => MODEL_VARIABLES.test(each))) {
    context.addIssue({ code: 'custom', path: [name], message: MODEL_VARIABLE });
  }
});

export const Env = z.record(z.string(), z.string());

/** Why an agent must not be given a variable of this name; null if it may. */
export function reservedName(name: string): string | null {
  return RESERVED_VARIABLES.find(([names]) => names.test(name))?.[1] ?? null;
}

/** Why a plain variable is refused; null if it is fine. */
export function faultInVariable(name: string, value: string): string | null {
  const reserved = reservedName(name);
  if (reserved !== null) return reserved;
  if (LIKE_A_SECRET.test(name) || WITH_PASSWORD.test(value)) {
    return 'looks like a secret, and env is shown on the board; secrets for a command belong in secret_env of its type';
  }
  if (name === 'NODE_OPTIONS' && !value.split(/\s+/).every((flag) => NODE_FLAGS.test(flag))) {
    return `may only tune node, because its other options load code into every node program; allowed: ${NODE_FLAG_NAMES}`;
  }
  return null;
}

const LIKE_A_SECRET =
  /(token|secret|passwd|password|passphrase|credentials?|(api|access|private|secret)_?key|_auth)$/i;
const WITH_PASSWORD = /:\/\/[^\s/:@]*:[^\s/@]+@/;

const NODE_FLAGS =
  /^(--(max-old-space-size=\d+|max-semi-space-size=\d+|use-system-ca|use-openssl-ca|no-warnings|no-deprecation|enable-source-maps|dns-result-order=\w+|experimental-vm-modules))?$/;
const NODE_FLAG_NAMES =
  '--max-old-space-size, --max-semi-space-size, --use-system-ca, --use-openssl-ca, --no-warnings, --no-deprecation, --enable-source-maps, --dns-result-order, --experimental-vm-modules';
