import { z } from 'zod';
import { ENDPOINTS } from './endpoints.ts';
import { Name } from './fields.ts';
import { ConnectForge, ForgeConnection, ForgeFindings, Forges, ReloadedConfig } from './forges.ts';
import type { Route } from './route.ts';

const named = z.strictObject({ name: Name });

export const FORGE_ROUTES = {
  listForges: {
    ...ENDPOINTS.listForges,
    tag: 'forges',
    summary: 'List the connected forges, and how their repositories are followed',
    policy: 'viewer',
    answers: { 200: { description: 'The forges', body: Forges } },
  },
  connectForge: {
    ...ENDPOINTS.connectForge,
    tag: 'forges',
    summary: 'Seed labels and make webhooks in the repositories of a forge that projects have',
    policy: 'operator',
    params: named,
    body: ConnectForge,
    answers: { 200: { description: 'What was changed', body: ForgeConnection } },
  },
  checkForge: {
    ...ENDPOINTS.checkForge,
    tag: 'forges',
    summary: 'Try out the rights and webhooks of the hall on a forge',
    policy: 'operator',
    params: named,
    answers: { 200: { description: 'What was found', body: ForgeFindings } },
  },
  reloadConfig: {
    ...ENDPOINTS.reloadConfig,
    tag: 'hall',
    summary: 'Read the configuration file again, as on SIGHUP',
    policy: 'operator',
    answers: { 200: { description: 'What is wrong with it', body: ReloadedConfig } },
  },
} as const satisfies Record<string, Route>;
