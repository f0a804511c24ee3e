import { z } from 'zod';
import { FORGE_KINDS } from '../domain/forge/forge-kind.ts';
import { Time } from './fields.ts';

const ForgeKind = z.enum(FORGE_KINDS).meta({ id: 'ForgeKind' });

const ConnectedRepository = z.object({
  /** As projects name it: `github:acme/shop`. */
  repo: z.string(),
  /** Whether a webhook covers it or the hall polls it; `unknown` until the hall has looked. */
  followed_by: z.enum(['webhook', 'polling', 'unknown']),
  /** Why it is polled, in words; null when a webhook covers it. */
  says: z.string().nullable(),
  /** Since the hall started. */
  last_delivery_at: Time.nullable(),
  /** Why its labels are not as they should be; null when they are. */
  labels_fault: z.string().nullable(),
});

/** The connected forges, with the repositories of projects on each. */
export const Forges = z.object({
  forges: z.array(
    z
      .object({
        name: z.string(),
        kind: ForgeKind,
        url: z.string(),
        repositories: z.array(ConnectedRepository),
      })
      .meta({ id: 'Forge' }),
  ),
});

export const ConnectForge = z.strictObject({
  /** Gives every webhook the current secret, also one that works with the secret before. */
  new_secret: z.boolean().default(false),
});

/** What connecting the repositories of a forge changed there. */
export const ForgeConnection = z
  .object({
    repositories: z.array(
      z.object({
        repo: z.string(),
        labels: z.object({ created: z.array(z.string()), repaired: z.array(z.string()) }),
        hook: z.enum(['created', 'changed', 'unchanged', 'none']),
        /** Whether the forge sent a delivery through it that the hall accepted. */
        hook_proven: z.boolean(),
        /** Why there is no webhook, in words; null when there is one. */
        says: z.string().nullable(),
        /** Why the repository is not connected; null when it is. */
        failure: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'ForgeConnection' });

export const ForgeFindings = z
  .object({
    findings: z.array(
      z.object({
        /** The forge, or one of its repositories. */
        about: z.string(),
        health: z.enum(['good', 'odd', 'bad']),
        says: z.string(),
        fix: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'ForgeFindings' });

export const ReloadedConfig = z
  .object({
    /** What is wrong with the file; with mistakes the hall keeps the configuration that it had. */
    mistakes: z.array(z.string()),
  })
  .meta({ id: 'ReloadedConfig' });

export type ForgeKind = z.output<typeof ForgeKind>;
export type Forges = z.output<typeof Forges>;
export type ForgeConnection = z.output<typeof ForgeConnection>;
export type ForgeFindings = z.output<typeof ForgeFindings>;
