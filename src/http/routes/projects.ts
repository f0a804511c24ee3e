import { settingsFrom } from '../../api/convert-settings.ts';
import type { PROJECT_ROUTES } from '../../api/project-routes.ts';
import type { Hall } from '../../board/hall.ts';
import { readBoard } from '../../board/read-board.ts';
import type { Board } from '../../domain/board.ts';
import type { Now } from '../../domain/decision.ts';
import { addProject, changeProject, removeProject } from '../../domain/edit-projects.ts';
import { pause, resume } from '../../domain/pausing.ts';
import { refuse } from '../../domain/refusal.ts';
import { projectMistake } from '../../queries/project-mistakes.ts';
import { projectView } from '../../queries/views/project.ts';
import { changeBoard } from '../board-access.ts';
import type { Operations } from '../request-context.ts';
import { invalid } from '../validate-request.ts';

interface Needs {
  readonly hall: Hall;
  /** The forges that the configuration declares. */
  readonly forges: () => readonly string[];
}

export function projectRoutes({ hall, forges }: Needs) {
  const mistakeIn = (settings: Parameters<typeof projectMistake>[1]) =>
    invalid(projectMistake(hall.board, settings, forges()));
  return {
    listProjects: async () => ({
      status: 200,
      body: await readBoard(hall, (board) => ({
        projects: [...board.projects.values()].map((project) => projectView(board, project)),
      })),
    }),

    getProject: ({ params: { name } }) =>
      readBoard(hall, (board) => {
        const project = board.projects.get(name);
        if (!project) return refuse('unknown_project', `there is no project ${name}`);
        return { status: 200, body: projectView(board, project) };
      }),

    addProject: async (context) => {
      const { name, ...settings } = context.body;
      const decide = (board: Board, now: Now) =>
        addProject(board, { name, settings: settingsFrom(settings) }, now);
      const reply = (added: string) => ({ status: 201, body: shown(hall.board, added) }) as const;
      return mistakeIn(settings) ?? changeBoard(hall, context, { decide, reply });
    },

    changeProject: async (context) =>
      mistakeIn(context.body) ??
      changeBoard(hall, context, {
        decide: (board) =>
          changeProject(board, { name: context.params.name, change: settingsFrom(context.body) }),
        reply: (name) => ({ status: 200, body: shown(hall.board, name) }),
      }),

    removeProject: (context) =>
      changeBoard(hall, context, {
        decide: (board) => removeProject(board, context.params.name),
        reply: () => ({ status: 204 }),
      }),

    pauseProject: (context) =>
      changeBoard(hall, context, {
        decide: (board, now) =>
          pause(
            board,
            { kind: 'project', name: context.params.name },
            context.body.because ?? null,
            now,
          ),
        reply: () => ({ status: 200, body: shown(hall.board, context.params.name) }),
      }),

    resumeProject: (context) =>
      changeBoard(hall, context, {
        decide: (board) => resume(board, { kind: 'project', name: context.params.name }),
        reply: () => ({ status: 200, body: shown(hall.board, context.params.name) }),
      }),
  } satisfies Pick<Operations, keyof typeof PROJECT_ROUTES>;
}

function shown(board: Board, name: string) {
  const project = board.projects.get(name);
  if (!project) throw new Error(`project ${name} is missing right after it was changed`);
  return projectView(board, project);
}
