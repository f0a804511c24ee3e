import { AGENTS_LIST } from './agents/list.ts';
import { APPROVALS_APPROVE, APPROVALS_DENY } from './approvals/answer.ts';
import { APPROVALS_LIST } from './approvals/list.ts';
import { AUDIT_VERIFY } from './audit/verify.ts';
import { BACKUP } from './backup.ts';
import { BOARD } from './board.ts';
import type { CommandSpec } from './command.ts';
import { completionCommand } from './completion.ts';
import { CONFIG_CHECK } from './config/check.ts';
import { CONFIG_SHOW } from './config/show.ts';
import { DEMO } from './demo.ts';
import { DOCTOR } from './doctor.ts';
import { EVENTS } from './events.ts';
import { EXPORT } from './export.ts';
import { IMPORT } from './import.ts';
import { INIT } from './init.ts';
import { INVOKERS_LIST } from './invokers/list.ts';
import { MODEL_PLAY } from './model/play.ts';
import { PAUSE_COMMANDS } from './pause.ts';
import { PROJECT_ADD } from './project/add.ts';
import { PROJECT_EDIT } from './project/edit.ts';
import { PROJECT_LIST } from './project/list.ts';
import { PROJECT_REMOVE } from './project/remove.ts';
import { PROJECT_SHOW } from './project/show.ts';
import { RESTORE } from './restore.ts';
import { RULES_ADD } from './rules/add.ts';
import { RULES_AUDIT } from './rules/audit.ts';
import { RULES_LIST } from './rules/list.ts';
import { RULES_REMOVE } from './rules/remove.ts';
import { RULES_TEST } from './rules/test.ts';
import { START } from './start.ts';
import { STOP } from './stop.ts';
import { TASK_ACTIONS } from './task/actions.ts';
import { TASK_ADD } from './task/add.ts';
import { TASK_ANSWER } from './task/answer.ts';
import { TASK_APPROVE } from './task/approve.ts';
import { TASK_EDIT } from './task/edit.ts';
import { TASK_LIST } from './task/list.ts';
import { TASK_LOG } from './task/log.ts';
import { TASK_SHOW } from './task/show.ts';
import { TASK_WHY } from './task/why.ts';
import { THREAD_ACTIONS } from './thread/actions.ts';
import { THREAD_DIFF } from './thread/diff.ts';
import { THREAD_LIST } from './thread/list.ts';
import { THREAD_REVIEW } from './thread/review.ts';
import { THREAD_SHOW } from './thread/show.ts';
import { TOKEN_CREATE } from './token/create.ts';
import { TOKEN_LIST } from './token/list.ts';
import { TOKEN_REVOKE } from './token/revoke.ts';
import { VERSION } from './version.ts';
import { WORKER_DRAIN } from './worker/drain.ts';
import { WORKER_LIST } from './worker/list.ts';
import { WORKER_RUN } from './worker/run.ts';

/** Every command there is, in the order of the help. */
export const COMMANDS: readonly CommandSpec[] = [
  START,
  STOP,
  DEMO,
  INIT,
  DOCTOR,
  CONFIG_CHECK,
  CONFIG_SHOW,
  BOARD,
  PROJECT_ADD,
  PROJECT_LIST,
  PROJECT_SHOW,
  PROJECT_EDIT,
  PROJECT_REMOVE,
  TASK_ADD,
  TASK_LIST,
  TASK_SHOW,
  TASK_WHY,
  TASK_LOG,
  ...TASK_ACTIONS,
  TASK_EDIT,
  TASK_APPROVE,
  TASK_ANSWER,
  THREAD_LIST,
  THREAD_SHOW,
  THREAD_DIFF,
  THREAD_REVIEW,
  ...THREAD_ACTIONS,
  WORKER_RUN,
  WORKER_LIST,
  WORKER_DRAIN,
  AGENTS_LIST,
  INVOKERS_LIST,
  ...PAUSE_COMMANDS,
  MODEL_PLAY,
  APPROVALS_LIST,
  APPROVALS_APPROVE,
  APPROVALS_DENY,
  RULES_LIST,
  RULES_ADD,
  RULES_REMOVE,
  RULES_TEST,
  RULES_AUDIT,
  EVENTS,
  TOKEN_CREATE,
  TOKEN_LIST,
  TOKEN_REVOKE,
  BACKUP,
  RESTORE,
  EXPORT,
  IMPORT,
  AUDIT_VERIFY,
  completionCommand(() => COMMANDS),
  VERSION,
];
