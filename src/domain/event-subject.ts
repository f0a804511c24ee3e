import type { HallEvent } from './event.ts';
import type { TaskId } from './ids.ts';

/** The project and task an event is about; null where there is none. */
export interface Subject {
  readonly project: string | null;
  readonly task: TaskId | null;
}

export const NO_SUBJECT: Subject = { project: null, task: null };

/** The subject that an event itself names; undefined where only its rows show it. */
export function subjectNamedIn(event: HallEvent): Subject | undefined {
  switch (event.type) {
    case 'ProjectSet':
      return { project: event.project.name, task: null };
    case 'ProjectPaused':
    case 'ProjectResumed':
    case 'ProjectRemoved':
    case 'BaseChecksReported':
    case 'BaseChecksForgotten':
      return { project: event.project, task: null };
    case 'ThreadReopened':
      return { project: event.thread.project, task: null };
    case 'ApprovalRequested':
      return { project: event.approval.project, task: event.approval.task };
    case 'ApprovalAnswered':
    case 'ApprovalUsed':
      return { project: event.project, task: event.task };
    case 'RuleSet':
      return { project: event.rule.scope, task: null };
    case 'TaskPosted':
      return { project: event.task.project, task: event.task.id };
    default:
      return undefined;
  }
}
