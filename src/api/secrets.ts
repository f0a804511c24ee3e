import { z } from 'zod';
import { SECRET_KINDS, SHORTEST_SECRET } from '../domain/secret.ts';
import { Time, text } from './fields.ts';

/** A name is part of a path, where `rotate` has another meaning. */
export const SecretName = z
  .string()
  .regex(
    /^(?!rotate$)(?!.*\.\.)[a-z0-9][a-z0-9._-]{0,63}$/,
    'must be 1 to 64 characters of a-z, 0-9, ".", "_" and "-", start with a letter or digit, not contain "..", and not be "rotate"',
  )
  .meta({ id: 'SecretName' });

export const SecretKind = z.enum(SECRET_KINDS).meta({ id: 'SecretKind' });

/** The private key of an App has less than 4,000 characters. */
const MAX_VALUE = 16_384;

/** A shorter one could not be redacted where it appears: it would match ordinary words. */
const Value = text(MAX_VALUE)
  .refine((value) => value.length >= SHORTEST_SECRET, {
    error: `must have at least ${SHORTEST_SECRET} characters`,
  })
  .meta({ minLength: SHORTEST_SECRET });

export const SetSecret = z.strictObject({
  name: SecretName,
  /** By default that of the value before, or of the entry of the configuration that uses it. */
  kind: SecretKind.optional(),
  value: Value,
  /** The value before stays valid too, until it is removed. For a webhook_secret. */
  keep_previous: z.boolean().default(false),
  /** Give up the key that encrypts the secrets so far, because it is lost. */
  new_key: z.boolean().default(false),
});

/** A query has only text. */
export const RemoveSecretQuery = z.strictObject({
  /** Removes only the value before the current one. */
  previous: z.enum(['true', 'false']).default('false'),
});

/** A stored secret, without its value. */
export const Secret = z
  .object({
    name: z.string(),
    kind: SecretKind,
    set_at: Time,
    set_by: z.string(),
    /** Whether the value before is still valid too. */
    has_previous: z.boolean(),
    /** The entries of the configuration that use it: `invoker ada`. */
    used_by: z.array(z.string()),
    /** Whether this node can decrypt it. */
    readable: z.boolean(),
    /** Why not, and what to do; null if it can. */
    says: z.string().nullable(),
  })
  .meta({ id: 'Secret' });

export const Secrets = z.object({
  secrets: z.array(Secret),
  /** Where this node finds the key that encrypts them. */
  key: z.object({
    place: z.string(),
    /** What is wrong with it, and what to do; null if nothing. */
    says: z.string().nullable(),
  }),
});

export const RotatedSecrets = z
  .object({
    /** The secrets that were encrypted again. */
    secrets: z.array(z.string()),
    place: z.string(),
  })
  .meta({ id: 'RotatedSecrets' });

export type Secret = z.output<typeof Secret>;
