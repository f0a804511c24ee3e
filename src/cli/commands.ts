import type { CommandEntry, CommandSpec, LoadedCommand } from './command.ts';

const hall = entriesWith('hall');
const folder = entriesWith('folder');
const nothing = entriesWith('nothing');

/** Every command there is, in the order of the help, and where it is defined. */
export const COMMANDS: readonly CommandEntry[] = [
  folder('start', async () => (await import('./start.ts')).START),
  folder('stop', async () => (await import('./stop.ts')).STOP),
  nothing('demo', async () => (await import('./demo.ts')).DEMO),
  nothing('init', async () => (await import('./init.ts')).INIT),
  folder('doctor', async () => (await import('./doctor.ts')).DOCTOR),
  folder('config check', async () => (await import('./config/check.ts')).CONFIG_CHECK),
  folder('config show', async () => (await import('./config/show.ts')).CONFIG_SHOW),
  hall('board', async () => (await import('./board.ts')).BOARD),
  hall('project add', async () => (await import('./project/add.ts')).PROJECT_ADD),
  hall('project list', async () => (await import('./project/list.ts')).PROJECT_LIST),
  hall('project show', async () => (await import('./project/show.ts')).PROJECT_SHOW),
  hall('project edit', async () => (await import('./project/edit.ts')).PROJECT_EDIT),
  hall('project remove', async () => (await import('./project/remove.ts')).PROJECT_REMOVE),
  hall('task add', async () => (await import('./task/add.ts')).TASK_ADD),
  hall('task list', async () => (await import('./task/list.ts')).TASK_LIST),
  hall('task show', async () => (await import('./task/show.ts')).TASK_SHOW),
  hall('task why', async () => (await import('./task/why.ts')).TASK_WHY),
  hall('task log', async () => (await import('./task/log.ts')).TASK_LOG),
  hall('task cancel', async () => (await import('./task/actions.ts')).TASK_CANCEL),
  hall('task retry', async () => (await import('./task/actions.ts')).TASK_RETRY),
  hall('task reopen', async () => (await import('./task/actions.ts')).TASK_REOPEN),
  hall('task release', async () => (await import('./task/actions.ts')).TASK_RELEASE),
  hall('task edit', async () => (await import('./task/edit.ts')).TASK_EDIT),
  hall('task approve', async () => (await import('./task/approve.ts')).TASK_APPROVE),
  hall('task answer', async () => (await import('./task/answer.ts')).TASK_ANSWER),
  hall('thread list', async () => (await import('./thread/list.ts')).THREAD_LIST),
  hall('thread show', async () => (await import('./thread/show.ts')).THREAD_SHOW),
  hall('thread diff', async () => (await import('./thread/diff.ts')).THREAD_DIFF),
  hall('thread review', async () => (await import('./thread/review.ts')).THREAD_REVIEW),
  hall('thread handover', async () => (await import('./thread/actions.ts')).THREAD_HANDOVER),
  hall('thread handback', async () => (await import('./thread/actions.ts')).THREAD_HANDBACK),
  hall('thread recheck', async () => (await import('./thread/actions.ts')).THREAD_RECHECK),
  hall('thread merge', async () => (await import('./thread/actions.ts')).THREAD_MERGE),
  hall('thread close', async () => (await import('./thread/actions.ts')).THREAD_CLOSE),
  hall('thread mark-merged', async () => (await import('./thread/actions.ts')).THREAD_MARK_MERGED),
  hall('worker run', async () => (await import('./worker/run.ts')).WORKER_RUN),
  hall('worker list', async () => (await import('./worker/list.ts')).WORKER_LIST),
  hall('worker drain', async () => (await import('./worker/drain.ts')).WORKER_DRAIN),
  hall('agents list', async () => (await import('./agents/list.ts')).AGENTS_LIST),
  hall('invokers list', async () => (await import('./invokers/list.ts')).INVOKERS_LIST),
  hall('pause', async () => (await import('./pause.ts')).PAUSE),
  hall('resume', async () => (await import('./pause.ts')).RESUME),
  hall('drain', async () => (await import('./pause.ts')).DRAIN),
  hall('project pause', async () => (await import('./pause.ts')).PROJECT_SWITCH.pause),
  hall('project resume', async () => (await import('./pause.ts')).PROJECT_SWITCH.resume),
  hall('agents pause', async () => (await import('./pause.ts')).AGENT_SWITCH.pause),
  hall('agents resume', async () => (await import('./pause.ts')).AGENT_SWITCH.resume),
  hall('invokers pause', async () => (await import('./pause.ts')).INVOKER_SWITCH.pause),
  hall('invokers resume', async () => (await import('./pause.ts')).INVOKER_SWITCH.resume),
  nothing('model play', async () => (await import('./model/play.ts')).MODEL_PLAY),
  hall('approvals list', async () => (await import('./approvals/list.ts')).APPROVALS_LIST),
  hall('approvals approve', async () => (await import('./approvals/answer.ts')).APPROVALS_APPROVE),
  hall('approvals deny', async () => (await import('./approvals/answer.ts')).APPROVALS_DENY),
  hall('rules list', async () => (await import('./rules/list.ts')).RULES_LIST),
  hall('rules add', async () => (await import('./rules/add.ts')).RULES_ADD),
  hall('rules remove', async () => (await import('./rules/remove.ts')).RULES_REMOVE),
  hall('rules test', async () => (await import('./rules/test.ts')).RULES_TEST),
  hall('rules audit', async () => (await import('./rules/audit.ts')).RULES_AUDIT),
  hall('sources list', async () => (await import('./sources/list.ts')).SOURCES_LIST),
  hall('sources sync', async () => (await import('./sources/sync.ts')).SOURCES_SYNC),
  hall('events', async () => (await import('./events.ts')).EVENTS),
  hall('token create', async () => (await import('./token/create.ts')).TOKEN_CREATE),
  hall('token list', async () => (await import('./token/list.ts')).TOKEN_LIST),
  hall('token revoke', async () => (await import('./token/revoke.ts')).TOKEN_REVOKE),
  folder('forge add', async () => (await import('./forge/add.ts')).FORGE_ADD),
  hall('secrets list', async () => (await import('./secrets/list.ts')).SECRETS_LIST),
  hall('secrets set', async () => (await import('./secrets/set.ts')).SECRETS_SET),
  hall('secrets remove', async () => (await import('./secrets/remove.ts')).SECRETS_REMOVE),
  hall('secrets rotate', async () => (await import('./secrets/rotate.ts')).SECRETS_ROTATE),
  folder('backup', async () => (await import('./backup.ts')).BACKUP),
  folder('restore', async () => (await import('./restore.ts')).RESTORE),
  folder('export', async () => (await import('./export.ts')).EXPORT),
  folder('import', async () => (await import('./import.ts')).IMPORT),
  folder('audit verify', async () => (await import('./audit/verify.ts')).AUDIT_VERIFY),
  hall('completion', async () => (await import('./completion.ts')).completionCommand(loadCommands)),
  nothing('version', async () => (await import('./version.ts')).VERSION),
];

export function loadCommands(entries = COMMANDS): Promise<readonly LoadedCommand[]> {
  return Promise.all(entries.map(async ({ load, ...entry }) => ({ ...entry, ...(await load()) })));
}

/** The commands that can be meant: the one that was typed, else those of its noun, else those without one. */
export function commandsFor(typed: readonly string[]): readonly CommandEntry[] {
  const [noun = '', verb = ''] = typed[0] === 'help' ? typed.slice(1) : typed;
  const exact = COMMANDS.filter(({ path }) => path === noun || path === `${noun} ${verb}`);
  if (exact.length > 0) return exact;
  const verbs = COMMANDS.filter(({ path }) => path.startsWith(`${noun} `));
  return verbs.length > 0 ? verbs : COMMANDS.filter(({ path }) => !path.includes(' '));
}

function entriesWith(uses: CommandEntry['uses']) {
  return (path: string, load: () => Promise<CommandSpec>): CommandEntry => ({ path, uses, load });
}
