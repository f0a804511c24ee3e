import { z } from 'zod';
import { ENDPOINTS } from './endpoints.ts';
import type { Route } from './route.ts';
import {
  RemoveSecretQuery,
  RotatedSecrets,
  Secret,
  SecretName,
  Secrets,
  SetSecret,
} from './secrets.ts';

export const SECRET_ROUTES = {
  listSecrets: {
    ...ENDPOINTS.listSecrets,
    tag: 'secrets',
    summary: 'List the stored secrets, without their values',
    policy: 'operator',
    answers: { 200: { description: 'The secrets', body: Secrets } },
  },
  setSecret: {
    ...ENDPOINTS.setSecret,
    tag: 'secrets',
    summary: 'Store a secret, encrypted, or replace its value',
    policy: 'operator',
    body: SetSecret,
    bodyIsSecret: true,
    example: { name: 'anthropic', kind: 'invoker_credential', value: 'sk-ant-…' },
    answers: { 200: { description: 'The secret, without its value', body: Secret } },
  },
  removeSecret: {
    ...ENDPOINTS.removeSecret,
    tag: 'secrets',
    summary: 'Remove a secret, or the value before its current one',
    policy: 'operator',
    params: z.strictObject({ name: SecretName }),
    query: RemoveSecretQuery,
    answers: { 204: { description: 'It was removed' } },
  },
  rotateSecrets: {
    ...ENDPOINTS.rotateSecrets,
    tag: 'secrets',
    summary: 'Encrypt all secrets again with another key',
    policy: 'operator',
    answers: { 200: { description: 'What was encrypted again', body: RotatedSecrets } },
  },
} as const satisfies Record<string, Route>;
