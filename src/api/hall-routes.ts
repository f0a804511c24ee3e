import { z } from 'zod';
import { HallState, Sources, TokenAsked, TokenCreated, Tokens } from './hall.ts';
import { Agent, Agents, Invoker, Invokers } from './pool.ts';
import type { Route } from './route.ts';
import { Because, Name, words } from './words.ts';

const named = z.strictObject({ name: Name });
const handled = z.strictObject({ handle: words(100) });
const hall = { 200: { description: 'As it is now', body: HallState } };
const agent = { 200: { description: 'As it is now', body: Agent } };
const invoker = { 200: { description: 'As it is now', body: Invoker } };

export const HALL_ROUTES = {
  pauseHall: {
    method: 'POST',
    path: '/v1/pause',
    tag: 'hall',
    summary: 'The kill switch: start nothing more anywhere',
    policy: 'operator',
    body: Because,
    answers: hall,
  },
  resumeHall: {
    method: 'POST',
    path: '/v1/resume',
    tag: 'hall',
    summary: 'Go on after a pause or a drain',
    policy: 'operator',
    answers: hall,
  },
  drainHall: {
    method: 'POST',
    path: '/v1/drain',
    tag: 'hall',
    summary: 'Let what runs end and start nothing more, so that the hall can be stopped',
    policy: 'operator',
    body: Because,
    answers: hall,
  },
  listSources: {
    method: 'GET',
    path: '/v1/sources',
    tag: 'hall',
    summary: 'Where tasks come from by themselves',
    policy: 'viewer',
    answers: { 200: { description: 'The sources of all projects', body: Sources } },
  },
  listTokens: {
    method: 'GET',
    path: '/v1/tokens',
    tag: 'hall',
    summary: 'The named tokens, without what they open doors with',
    policy: 'operator',
    answers: { 200: { description: 'The tokens', body: Tokens } },
  },
  createToken: {
    method: 'POST',
    path: '/v1/tokens',
    tag: 'hall',
    summary: 'Make a named token',
    policy: 'operator',
    body: TokenAsked,
    example: { name: 'ada', role: 'viewer' },
    answers: { 201: { description: 'The token, shown once', body: TokenCreated } },
  },
  revokeToken: {
    method: 'DELETE',
    path: '/v1/tokens/{name}',
    tag: 'hall',
    summary: 'Take a token back',
    policy: 'operator',
    params: named,
    answers: { 204: { description: 'It opens nothing any more' } },
  },
  listAgents: {
    method: 'GET',
    path: '/v1/agents',
    tag: 'pool',
    summary: 'The members of the pool',
    policy: 'viewer',
    answers: { 200: { description: 'The instances', body: Agents } },
  },
  getAgent: {
    method: 'GET',
    path: '/v1/agents/{name}',
    tag: 'pool',
    summary: 'One member of the pool',
    policy: 'viewer',
    params: named,
    answers: { 200: { description: 'The instance', body: Agent } },
  },
  pauseAgent: {
    method: 'POST',
    path: '/v1/agents/{name}/pause',
    tag: 'pool',
    summary: 'Give an instance nothing more; what it runs goes on',
    policy: 'operator',
    params: named,
    body: Because,
    answers: agent,
  },
  resumeAgent: {
    method: 'POST',
    path: '/v1/agents/{name}/resume',
    tag: 'pool',
    summary: 'Go on with a paused instance',
    policy: 'operator',
    params: named,
    answers: agent,
  },
  listInvokers: {
    method: 'GET',
    path: '/v1/invokers',
    tag: 'pool',
    summary: 'Who pays for runs, and how much of the week is spent',
    policy: 'viewer',
    answers: { 200: { description: 'The invokers', body: Invokers } },
  },
  pauseInvoker: {
    method: 'POST',
    path: '/v1/invokers/{handle}/pause',
    tag: 'pool',
    summary: 'Let an invoker pay for nothing more',
    policy: 'operator',
    params: handled,
    body: Because,
    answers: invoker,
  },
  resumeInvoker: {
    method: 'POST',
    path: '/v1/invokers/{handle}/resume',
    tag: 'pool',
    summary: 'Let a paused invoker pay again',
    policy: 'operator',
    params: handled,
    answers: invoker,
  },
} as const satisfies Record<string, Route>;
