import { z } from 'zod';
import { ENDPOINTS } from './endpoints.ts';
import { line, Name, ReasonBody } from './fields.ts';
import { CreatedToken, CreateToken, HallState, Sources, Tokens } from './hall.ts';
import { Agent, Agents, Invoker, Invokers } from './pool.ts';
import type { Route } from './route.ts';

const named = z.strictObject({ name: Name });
const handled = z.strictObject({ handle: line(100) });
const hall = { 200: { description: 'As it is now', body: HallState } };
const agent = { 200: { description: 'As it is now', body: Agent } };
const invoker = { 200: { description: 'As it is now', body: Invoker } };

export const HALL_ROUTES = {
  pauseHall: {
    ...ENDPOINTS.pauseHall,
    tag: 'hall',
    summary: 'The kill switch: start nothing more anywhere',
    policy: 'operator',
    body: ReasonBody,
    answers: hall,
  },
  resumeHall: {
    ...ENDPOINTS.resumeHall,
    tag: 'hall',
    summary: 'Go on after a pause or a drain',
    policy: 'operator',
    answers: hall,
  },
  drainHall: {
    ...ENDPOINTS.drainHall,
    tag: 'hall',
    summary: 'Let what runs end and start nothing more, so that the hall can be stopped',
    policy: 'operator',
    body: ReasonBody,
    answers: hall,
  },
  listSources: {
    ...ENDPOINTS.listSources,
    tag: 'hall',
    summary: 'Where tasks come from by themselves',
    policy: 'viewer',
    answers: { 200: { description: 'The sources of all projects', body: Sources } },
  },
  listTokens: {
    ...ENDPOINTS.listTokens,
    tag: 'hall',
    summary: 'The named tokens, without what they open doors with',
    policy: 'operator',
    answers: { 200: { description: 'The tokens', body: Tokens } },
  },
  createToken: {
    ...ENDPOINTS.createToken,
    tag: 'hall',
    summary: 'Make a named token',
    policy: 'operator',
    body: CreateToken,
    example: { name: 'ada', role: 'viewer' },
    answers: { 201: { description: 'The token, shown once', body: CreatedToken } },
  },
  revokeToken: {
    ...ENDPOINTS.revokeToken,
    tag: 'hall',
    summary: 'Take a token back',
    policy: 'operator',
    params: named,
    answers: { 204: { description: 'It opens nothing any more' } },
  },
  listAgents: {
    ...ENDPOINTS.listAgents,
    tag: 'pool',
    summary: 'The members of the pool',
    policy: 'viewer',
    answers: { 200: { description: 'The instances', body: Agents } },
  },
  getAgent: {
    ...ENDPOINTS.getAgent,
    tag: 'pool',
    summary: 'One member of the pool',
    policy: 'viewer',
    params: named,
    answers: { 200: { description: 'The instance', body: Agent } },
  },
  pauseAgent: {
    ...ENDPOINTS.pauseAgent,
    tag: 'pool',
    summary: 'Give an instance nothing more; what it runs goes on',
    policy: 'operator',
    params: named,
    body: ReasonBody,
    answers: agent,
  },
  resumeAgent: {
    ...ENDPOINTS.resumeAgent,
    tag: 'pool',
    summary: 'Go on with a paused instance',
    policy: 'operator',
    params: named,
    answers: agent,
  },
  listInvokers: {
    ...ENDPOINTS.listInvokers,
    tag: 'pool',
    summary: 'Who pays for runs, and how much of the week is spent',
    policy: 'viewer',
    answers: { 200: { description: 'The invokers', body: Invokers } },
  },
  pauseInvoker: {
    ...ENDPOINTS.pauseInvoker,
    tag: 'pool',
    summary: 'Let an invoker pay for nothing more',
    policy: 'operator',
    params: handled,
    body: ReasonBody,
    answers: invoker,
  },
  resumeInvoker: {
    ...ENDPOINTS.resumeInvoker,
    tag: 'pool',
    summary: 'Let a paused invoker pay again',
    policy: 'operator',
    params: handled,
    answers: invoker,
  },
} as const satisfies Record<string, Route>;
