import type { z } from 'zod';
import type { PROJECT_ROUTES } from '../../api/project-routes.ts';
import type { ProjectAsked, ProjectChange } from '../../api/projects.ts';
import type { Hall } from '../../board/hall.ts';
import type { Board } from '../../domain/board.ts';
import type { ProjectSettings } from '../../domain/project.ts';
import { refuse } from '../../domain/refusal.ts';
import {
  addProject,
  changeProject,
  pause,
  removeProject,
  resume,
} from '../../domain/setting-up.ts';
import type { Implementations } from '../ask.ts';
import { change, look } from '../changing.ts';
import { projectView } from '../views/project.ts';

export function projectRoutes(hall: Hall) {
  return {
    listProjects: async () => ({
      status: 200,
      body: await look(hall, (board) => ({
        projects: [...board.projects.values()].map((project) => projectView(board, project)),
      })),
    }),

    getProject: ({ params: { name } }) =>
      look(hall, (board) => {
        const project = board.projects.get(name);
        if (!project) return refuse('unknown_project', `there is no project ${name}`);
        return { status: 200, body: projectView(board, project) };
      }),

    addProject: (ask) => {
      const { name, ...settings } = ask.body;
      return change(hall, ask, {
        decide: (board, now) => addProject(board, { name, settings: settingsFrom(settings) }, now),
        reply: (added) => ({ status: 201, body: shown(hall.board, added) }),
      });
    },

    changeProject: (ask) =>
      change(hall, ask, {
        decide: (board) =>
          changeProject(board, { name: ask.params.name, change: changesFrom(ask.body) }),
        reply: (name) => ({ status: 200, body: shown(hall.board, name) }),
      }),

    removeProject: (ask) =>
      change(hall, ask, {
        decide: (board) => removeProject(board, ask.params.name),
        reply: () => ({ status: 204 }),
      }),

    pauseProject: (ask) =>
      change(hall, ask, {
        decide: (board, now) =>
          pause(board, { kind: 'project', name: ask.params.name }, ask.body.because ?? null, now),
        reply: () => ({ status: 200, body: shown(hall.board, ask.params.name) }),
      }),

    resumeProject: (ask) =>
      change(hall, ask, {
        decide: (board) => resume(board, { kind: 'project', name: ask.params.name }),
        reply: () => ({ status: 200, body: shown(hall.board, ask.params.name) }),
      }),
  } satisfies Pick<Implementations, keyof typeof PROJECT_ROUTES>;
}

function shown(board: Board, name: string) {
  const project = board.projects.get(name);
  if (!project) throw new Error(`project ${name} is gone although it was just changed`);
  return projectView(board, project);
}

function settingsFrom(asked: Omit<z.output<typeof ProjectAsked>, 'name'>): ProjectSettings {
  return {
    repo: asked.repo,
    maxWorkers: asked.max_workers,
    isolation: asked.isolation,
    mergePolicy: asked.merge_policy,
    defaultSize: asked.default_size,
    maxRetries: asked.max_retries,
    crashRequeues: asked.crash_requeues,
    maxRounds: asked.max_rounds,
    approvers: asked.approvers,
    autoApprove: asked.auto_approve,
    budgetUsd: asked.budget_usd,
    sources: asked.sources,
  };
}

function changesFrom(asked: z.output<typeof ProjectChange>): Partial<ProjectSettings> {
  return {
    ...(asked.repo !== undefined && { repo: asked.repo }),
    ...(asked.max_workers !== undefined && { maxWorkers: asked.max_workers }),
    ...(asked.isolation !== undefined && { isolation: asked.isolation }),
    ...(asked.merge_policy !== undefined && { mergePolicy: asked.merge_policy }),
    ...(asked.default_size !== undefined && { defaultSize: asked.default_size }),
    ...(asked.max_retries !== undefined && { maxRetries: asked.max_retries }),
    ...(asked.crash_requeues !== undefined && { crashRequeues: asked.crash_requeues }),
    ...(asked.max_rounds !== undefined && { maxRounds: asked.max_rounds }),
    ...(asked.approvers !== undefined && { approvers: asked.approvers }),
    ...(asked.auto_approve !== undefined && { autoApprove: asked.auto_approve }),
    ...(asked.budget_usd !== undefined && { budgetUsd: asked.budget_usd }),
    ...(asked.sources !== undefined && { sources: asked.sources }),
  };
}
