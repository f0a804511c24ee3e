import { z } from 'zod';
import { ENDPOINTS } from './endpoints.ts';
import { line, Name, ReasonBody } from './fields.ts';
import { CreatedToken, CreateToken, HallState, Tokens } from './hall.ts';
import { Agent, Agents, Invoker, Invokers, Personas } from './pool.ts';
import type { Route } from './route.ts';
import { Source, Sources } from './sources.ts';

const named = z.strictObject({ name: Name });
const handled = z.strictObject({ handle: line(100) });
const hall = { 200: { description: 'The hall after the change', body: HallState } };
const agent = { 200: { description: 'The instance after the change', body: Agent } };
const invoker = { 200: { description: 'The invoker after the change', body: Invoker } };

export const HALL_ROUTES = {
  pauseHall: {
    ...ENDPOINTS.pauseHall,
    tag: 'hall',
    summary: 'Pause the whole hall (the kill switch): no new runs start, active ones continue',
    policy: 'operator',
    body: ReasonBody,
    answers: hall,
  },
  resumeHall: {
    ...ENDPOINTS.resumeHall,
    tag: 'hall',
    summary: 'Resume the hall after a pause or a drain',
    policy: 'operator',
    answers: hall,
  },
  drainHall: {
    ...ENDPOINTS.drainHall,
    tag: 'hall',
    summary: 'Drain the hall before stopping it: active runs finish, no new ones start',
    policy: 'operator',
    body: ReasonBody,
    answers: hall,
  },
  listSources: {
    ...ENDPOINTS.listSources,
    tag: 'hall',
    summary: 'List the task sources of all projects, and how far their items are',
    policy: 'viewer',
    answers: { 200: { description: 'The sources', body: Sources } },
  },
  syncSource: {
    ...ENDPOINTS.syncSource,
    tag: 'hall',
    summary: 'Read a task source now',
    policy: 'operator',
    params: z.strictObject({ id: line(150) }),
    answers: { 200: { description: 'The source after it was read', body: Source } },
  },
  listTokens: {
    ...ENDPOINTS.listTokens,
    tag: 'hall',
    summary: 'List the named tokens, without their secrets',
    policy: 'operator',
    answers: { 200: { description: 'The tokens', body: Tokens } },
  },
  createToken: {
    ...ENDPOINTS.createToken,
    tag: 'hall',
    summary: 'Create a named token',
    policy: 'operator',
    body: CreateToken,
    example: { name: 'ada', role: 'viewer' },
    answers: { 201: { description: 'The token, shown once', body: CreatedToken } },
  },
  revokeToken: {
    ...ENDPOINTS.revokeToken,
    tag: 'hall',
    summary: 'Revoke a token, and end the workers it registered',
    policy: 'operator',
    params: named,
    answers: { 204: { description: 'The token was revoked' } },
  },
  listAgents: {
    ...ENDPOINTS.listAgents,
    tag: 'pool',
    summary: 'List the instances of the pool',
    policy: 'viewer',
    answers: { 200: { description: 'The instances', body: Agents } },
  },
  getAgent: {
    ...ENDPOINTS.getAgent,
    tag: 'pool',
    summary: 'Get an instance of the pool',
    policy: 'viewer',
    params: named,
    answers: { 200: { description: 'The instance', body: Agent } },
  },
  pauseAgent: {
    ...ENDPOINTS.pauseAgent,
    tag: 'pool',
    summary: 'Pause an instance: it claims no more tasks, active runs continue',
    policy: 'operator',
    params: named,
    body: ReasonBody,
    answers: agent,
  },
  resumeAgent: {
    ...ENDPOINTS.resumeAgent,
    tag: 'pool',
    summary: 'Resume a paused instance',
    policy: 'operator',
    params: named,
    answers: agent,
  },
  listPersonas: {
    ...ENDPOINTS.listPersonas,
    tag: 'pool',
    summary: 'List the personas that a task can ask for',
    policy: 'viewer',
    answers: { 200: { description: 'The personas', body: Personas } },
  },
  listInvokers: {
    ...ENDPOINTS.listInvokers,
    tag: 'pool',
    summary: 'List the invokers with the credits they have used this week',
    policy: 'viewer',
    answers: { 200: { description: 'The invokers', body: Invokers } },
  },
  pauseInvoker: {
    ...ENDPOINTS.pauseInvoker,
    tag: 'pool',
    summary: 'Pause an invoker: it pays for no new runs',
    policy: 'operator',
    params: handled,
    body: ReasonBody,
    answers: invoker,
  },
  resumeInvoker: {
    ...ENDPOINTS.resumeInvoker,
    tag: 'pool',
    summary: 'Resume a paused invoker',
    policy: 'operator',
    params: handled,
    answers: invoker,
  },
} as const satisfies Record<string, Route>;
