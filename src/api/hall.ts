import { z } from 'zod';
import { ROLES } from '../domain/token.ts';
import { Name, Pause, Time } from './fields.ts';

export const HallState = z
  .object({ paused: Pause.nullable(), draining: Pause.nullable() })
  .meta({ id: 'HallState' });

const Role = z.enum(ROLES);

export const CreateToken = z.strictObject({ name: Name, role: Role });

const Token = z
  .object({ name: z.string(), role: Role, created_at: Time, created_by: z.string() })
  .meta({ id: 'Token' });

export const Tokens = z.object({ tokens: z.array(Token) });

export const CreatedToken = z
  .object({
    name: z.string(),
    role: Role,
    /** Shown once. */
    token: z.string(),
    /** Set when the hall's configuration does not use named tokens. */
    note: z.string().nullable(),
  })
  .meta({ id: 'CreatedToken' });
