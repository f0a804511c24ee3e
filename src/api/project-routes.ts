import { z } from 'zod';
import { ENDPOINTS } from './endpoints.ts';
import { Name, ReasonBody } from './fields.ts';
import { CreateProject, Project, Projects, UpdateProject } from './projects.ts';
import type { Route } from './route.ts';

const tag = 'projects';
const params = z.strictObject({ name: Name });

export const PROJECT_ROUTES = {
  listProjects: {
    ...ENDPOINTS.listProjects,
    tag,
    summary: 'List projects with their task counts',
    policy: 'viewer',
    answers: { 200: { description: 'The projects', body: Projects } },
  },
  addProject: {
    ...ENDPOINTS.addProject,
    tag,
    summary: 'Register a project',
    policy: 'operator',
    body: CreateProject,
    example: {
      name: 'shop',
      repo: 'github:acme/shop',
      max_workers: 3,
      sources: [{ kind: 'github-issues', filter: { labels: ['ready'] } }],
    },
    answers: { 201: { description: 'The project', body: Project } },
  },
  getProject: {
    ...ENDPOINTS.getProject,
    tag,
    summary: 'Get a project',
    policy: 'viewer',
    params,
    answers: { 200: { description: 'The project', body: Project } },
  },
  changeProject: {
    ...ENDPOINTS.changeProject,
    tag,
    summary: 'Change the settings of a project that was created over the API',
    policy: 'operator',
    params,
    body: UpdateProject,
    example: { max_workers: 5 },
    answers: { 200: { description: 'The project after the change', body: Project } },
  },
  removeProject: {
    ...ENDPOINTS.removeProject,
    tag,
    summary: 'Remove a project that has no open tasks',
    policy: 'operator',
    params,
    answers: { 204: { description: 'The project was removed' } },
  },
  pauseProject: {
    ...ENDPOINTS.pauseProject,
    tag,
    summary: 'Pause a project: no new runs start, active ones continue',
    policy: 'operator',
    params,
    body: ReasonBody,
    example: { because: 'the main branch is broken' },
    answers: { 200: { description: 'The project after the change', body: Project } },
  },
  resumeProject: {
    ...ENDPOINTS.resumeProject,
    tag,
    summary: 'Resume a paused project',
    policy: 'operator',
    params,
    answers: { 200: { description: 'The project after the change', body: Project } },
  },
} as const satisfies Record<string, Route>;
