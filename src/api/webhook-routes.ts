import { z } from 'zod';
import { ENDPOINTS } from './endpoints.ts';
import { Name } from './fields.ts';
import type { Route } from './route.ts';

export const WEBHOOK_ROUTES = {
  receiveWebhook: {
    ...ENDPOINTS.receiveWebhook,
    tag: 'hall',
    summary: 'Receive a delivery of a forge, which says what to look at there',
    policy: 'webhook',
    params: z.strictObject({ forge: Name }),
    mostBytes: 25 * 1024 * 1024,
    answers: {
      202: {
        description: 'The delivery is genuine, and what it is about will be looked at',
        body: z.object({ looks: z.int() }),
      },
    },
  },
} as const satisfies Record<string, Route>;
