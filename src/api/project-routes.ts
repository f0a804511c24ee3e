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
    summary: 'All projects with what waits and runs in them',
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
    answers: { 201: { description: 'It is registered', body: Project } },
  },
  getProject: {
    ...ENDPOINTS.getProject,
    tag,
    summary: 'One project',
    policy: 'viewer',
    params,
    answers: { 200: { description: 'The project', body: Project } },
  },
  changeProject: {
    ...ENDPOINTS.changeProject,
    tag,
    summary: 'Change settings of a project that the API made',
    policy: 'operator',
    params,
    body: UpdateProject,
    example: { max_workers: 5 },
    answers: { 200: { description: 'As it is now', body: Project } },
  },
  removeProject: {
    ...ENDPOINTS.removeProject,
    tag,
    summary: 'Remove a project that has no open tasks',
    policy: 'operator',
    params,
    answers: { 204: { description: 'It is removed' } },
  },
  pauseProject: {
    ...ENDPOINTS.pauseProject,
    tag,
    summary: 'Start nothing more in a project; what runs goes on',
    policy: 'operator',
    params,
    body: ReasonBody,
    example: { because: 'the main branch is broken' },
    answers: { 200: { description: 'As it is now', body: Project } },
  },
  resumeProject: {
    ...ENDPOINTS.resumeProject,
    tag,
    summary: 'Go on in a paused project',
    policy: 'operator',
    params,
    answers: { 200: { description: 'As it is now', body: Project } },
  },
} as const satisfies Record<string, Route>;
