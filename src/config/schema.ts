import { z } from 'zod';
import { DurationInput as duration, durationIn } from '../api/duration.ts';
import { TypeEnvInput, VariableName } from '../api/env.ts';
import { Name } from '../api/fields.ts';
import { LimitsInput } from '../api/limits.ts';
import { HostInput } from '../api/project-settings.ts';
import { CreateProject } from '../api/projects.ts';
import { SecretName } from '../api/secrets.ts';
import { operatorCommand } from '../domain/operator-command.ts';
import { DEFAULT_TYPE_SETTINGS } from '../domain/pool.ts';
import { storedName } from '../domain/secret.ts';
import { addressIn, isLoopback } from './units.ts';

/*
 * Every key of the configuration file and its default. The checks of the reference page and the
 * suggestions for misspelt keys are derived from it.
 */

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const REFERENCE = /^\$[A-Z_][A-Z0-9_]*$/;

export const nonEmpty = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .refine((text) => !text.includes('\0'), 'must not contain the character U+0000');
export const slug = z
  .string()
  .regex(SLUG, 'must be lower-case words joined by "-", such as old-major');
const url = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });
const count = z.int().min(0).max(1_000_000);
const secret = z
  .string()
  .regex(
    REFERENCE,
    'is a secret, and secrets do not belong in this file: write $NAME and set NAME in the ' +
      'environment, or $NAME_FILE and set NAME_FILE to the path of a file that contains it',
  );

/** A secret that only the hall itself uses may be in its store, too. */
const ownSecret = z
  .string()
  .refine(
    (text) => REFERENCE.test(text) || SecretName.safeParse(storedName(text)).success,
    'is a secret, and secrets do not belong in this file: write $NAME and set NAME in the ' +
      'environment, or $NAME_FILE and set NAME_FILE to the path of a file that contains it, or ' +
      `secret:NAME and store it with: ${operatorCommand('secrets set', 'NAME')}`,
  );

/** Decisions about tool calls are evidence. */
const MONTH = 30 * 86_400_000;

const Hall = z.strictObject({
  data: nonEmpty.default('./data'),
  listen: z
    .string()
    .refine((text) => addressIn(text) !== undefined, 'must be host:port, such as 127.0.0.1:4600')
    .default('127.0.0.1:4600'),
  public_url: url.nullable().default(null),
  node_url: url.nullable().default(null),
  store: z
    .string()
    .regex(/^(sqlite|postgres(ql)?:\/\/.+)$/, 'must be sqlite, or postgres://user@host/database')
    .default('sqlite'),
  secrets_key: z
    .union([nonEmpty, z.strictObject({ command: z.array(nonEmpty).min(1) })])
    .nullable()
    .default(null),
  auth: z.strictObject({ mode: z.enum(['local', 'tokens', 'none']).default('local') }).prefault({}),
  heartbeat_seconds: z.number().min(0.1).max(86_400).nullable().default(null),
  dead_after_seconds: z.number().min(1).max(86_400).default(360),
  grace_seconds: z.number().min(1).max(3_600).default(25),
  container_prefix: Name.max(32).default('guildhall'),
  max_recruits: z.int().min(0).max(1_000).default(8),
  disk_budget_mb: z.int().min(1).nullable().default(null),
  allowed_hosts: z.array(nonEmpty).default([]),
  approval_timeout: duration.default('15m'),
  sources: z
    .strictObject({
      poll_seconds: z.number().min(0.1).max(86_400).default(30),
      retry_seconds: z.number().min(0.05).max(3_600).default(1),
      probe_seconds: z.number().min(0.1).max(86_400).default(300),
    })
    .prefault({}),
  retention: z
    .strictObject({
      log: duration.default('30d'),
      sessions: duration.default('30d'),
      work: duration.default('30d'),
      answers: duration.default('7d'),
      decisions: duration
        .refine((text) => (durationIn(text) ?? 0) >= MONTH, 'must be at least 30d')
        .default('90d'),
    })
    .prefault({}),
});

const App = z.strictObject({ id: z.int().min(1), key: ownSecret });

const FORGE_KEYS = {
  webhook_secret: ownSecret.nullable().default(null),
  /** How often repositories are read: while work is open in them, otherwise, and where a webhook covers them. */
  poll: z
    .strictObject({
      active: duration.default('30s'),
      idle: duration.default('2m'),
      covered: duration.default('10m'),
    })
    .prefault({}),
};

const GitHub = z
  .strictObject({
    kind: z.literal('github').default('github'),
    url: url.default('https://github.com'),
    /** Where its API is, if it is not where GitHub and GitHub Enterprise Server have it. */
    api_url: url.nullable().default(null),
    app: App.nullable().default(null),
    token: ownSecret.nullable().default(null),
    ...FORGE_KEYS,
  })
  .refine(({ app, token }) => app !== null || token !== null, 'needs an app or a token');

const Gitea = z.strictObject({
  kind: z.enum(['gitea', 'forgejo']),
  url,
  token: ownSecret,
  ...FORGE_KEYS,
});

/** A forge called github needs no kind. */
const Forges = z
  .strictObject({ github: GitHub.optional() })
  .catchall(z.discriminatedUnion('kind', [GitHub, Gitea]));

const AgentType = z.strictObject({
  forge_user: nonEmpty.nullable().default(null),
  token_path: nonEmpty.nullable().default(null),
  git: z.strictObject({ name: nonEmpty, email: z.email('must be an e-mail address') }),
  gpg_key: nonEmpty.nullable().default(null),
  branch_prefix: slug.nullable().default(null),
  model: nonEmpty,
  image: nonEmpty.nullable().default(null),
  persona: slug.nullable().default(null),
  label_wait: duration.nullable().default(null),
  max_turns: z.int().min(1).max(10_000).default(DEFAULT_TYPE_SETTINGS.maxTurns),
  limits: LimitsInput.prefault({}),
  network: z.array(HostInput).max(100).nullable().default(null),
  env: TypeEnvInput.default({}),
  secret_env: z.record(VariableName, secret).default({}),
  command: z.array(nonEmpty).min(1).nullable().default(null),
  budget_usd: z.number().min(0.01).max(100_000).default(DEFAULT_TYPE_SETTINGS.budgetUsd),
  needs_model: z.boolean().default(DEFAULT_TYPE_SETTINGS.needsModel),
});

export const AGENT_TYPE_KEYS: readonly string[] = Object.keys(AgentType.shape);

const MODEL_ADDRESS =
  'must be an https URL (or http on this machine) without a path: the credential is sent there';

function isModelAddress(text: string): boolean {
  const { protocol, hostname, pathname, search, hash, username, password } = new URL(text);
  const isPlain = pathname === '/' && `${search}${hash}${username}${password}` === '';
  return isPlain && (protocol === 'https:' || isLoopback(hostname.replace(/^\[|\]$/g, '')));
}

const Invoker = z.strictObject({
  handle: nonEmpty,
  credential: ownSecret,
  url: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .refine(isModelAddress, MODEL_ADDRESS)
    .default('https://api.anthropic.com'),
  weekly_cap: count.default(25),
  projects: z.array(Name).nullable().default(null),
});

export const ConfigFile = z.strictObject({
  hall: Hall.prefault({}),
  forges: Forges.prefault({}),
  types: z.record(slug, AgentType).nullable().default(null),
  invokers: z.array(Invoker).default([]),
  projects: z.array(CreateProject).default([]),
});

export type ConfigFile = z.output<typeof ConfigFile>;
export type AgentTypeEntry = z.output<typeof AgentType>;
export type InvokerEntry = z.output<typeof Invoker>;
export type ProjectEntry = z.output<typeof CreateProject>;
