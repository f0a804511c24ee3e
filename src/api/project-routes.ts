import { z } from 'zod';
import { Project, ProjectAsked, ProjectChange, Projects } from './projects.ts';
import type { Route } from './route.ts';
import { Because, Name } from './words.ts';

const tag = 'projects';
const params = z.strictObject({ name: Name });

export const PROJECT_ROUTES = {
  listProjects: {
    method: 'GET',
    path: '/v1/projects',
    tag,
    summary: 'All projects with what waits and runs in them',
    policy: 'viewer',
    answers: { 200: { description: 'The projects', body: Projects } },
  },
  addProject: {
    method: 'POST',
    path: '/v1/projects',
    tag,
    summary: 'Register a project',
    policy: 'operator',
    body: ProjectAsked,
    example: {
      name: 'shop',
      repo: 'github:acme/shop',
      max_workers: 3,
      sources: [{ kind: 'github-issues', filter: { labels: ['ready'] } }],
    },
    answers: { 201: { description: 'It is registered', body: Project } },
  },
  getProject: {
    method: 'GET',
    path: '/v1/projects/{name}',
    tag,
    summary: 'One project',
    policy: 'viewer',
    params,
    answers: { 200: { description: 'The project', body: Project } },
  },
  changeProject: {
    method: 'PATCH',
    path: '/v1/projects/{name}',
    tag,
    summary: 'Change settings of a project that the API made',
    policy: 'operator',
    params,
    body: ProjectChange,
    example: { max_workers: 5 },
    answers: { 200: { description: 'As it is now', body: Project } },
  },
  removeProject: {
    method: 'DELETE',
    path: '/v1/projects/{name}',
    tag,
    summary: 'Remove a project that has no open tasks',
    policy: 'operator',
    params,
    answers: { 204: { description: 'It is removed' } },
  },
  pauseProject: {
    method: 'POST',
    path: '/v1/projects/{name}/pause',
    tag,
    summary: 'Start nothing more in a project; what runs goes on',
    policy: 'operator',
    params,
    body: Because,
    example: { because: 'the main branch is broken' },
    answers: { 200: { description: 'As it is now', body: Project } },
  },
  resumeProject: {
    method: 'POST',
    path: '/v1/projects/{name}/resume',
    tag,
    summary: 'Go on in a paused project',
    policy: 'operator',
    params,
    answers: { 200: { description: 'As it is now', body: Project } },
  },
} as const satisfies Record<string, Route>;
