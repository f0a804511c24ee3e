/** The closed list of refusal codes, each with its meaning. */
export const REFUSALS = {
  unknown_project: 'no project has this name',
  unknown_task: 'no task has this id',
  unknown_thread: 'no thread has this id',
  unknown_run: 'no run has this id',
  unknown_worker: 'no worker has this id, or it was dismissed',
  unknown_instance: 'no agent instance has this name',
  unknown_type: 'no agent type has this name',
  unknown_agent: 'no instance, persona or type has this name',
  unknown_invoker: 'no invoker has this handle',
  unknown_skill: 'there is no prompt file for this skill',
  unknown_token: 'no token has this name',
  unknown_secret: 'no secret has this name',
  unknown_forge: 'the hall is not connected to a forge of this name',
  unknown_source: 'no task source has this id',
  unknown_rule: 'no rule has this id',
  unknown_approval: 'no open approval request has this id',
  name_taken: 'the name is already taken',
  declared_in_file: 'it is declared in the configuration file and can only be changed there',
  project_has_open_tasks: 'a project with open tasks cannot be removed',
  project_paused: 'the project is paused',
  project_at_capacity: "the project's max_workers limit is reached",
  project_not_allowed: 'the instance or worker may not work in this project',
  hall_paused: 'the hall is paused',
  hall_draining: 'the hall is draining and starts no new runs',
  instance_paused: 'the agent instance is paused or disabled',
  instance_at_capacity: "the instance's parallel limit is reached",
  instance_mismatch: 'the task requires another type or instance',
  labels_prefer_others: "other instances have priority because of the thread's labels",
  no_cell: "the worker's machine cannot provide the isolation that its projects require",
  no_worker: 'no live worker of an eligible instance is waiting for a task',
  no_credit: 'no invoker has credit left for this run',
  invoker_parked: 'the invoker is parked until a limit of the model provider resets',
  no_invoker: 'no invoker pays for runs in this project',
  over_budget: 'the run has used up its model budget',
  thread_handed_over: 'a person has taken over the thread',
  thread_busy: 'another run or task is active in this thread',
  behind_in_thread: 'an earlier task of the same thread comes first',
  waits_for_dependency: 'a thread it depends on is not done',
  needs_approval: 'the task is proposed and waits for approval',
  not_due: 'the task is deferred',
  waits_for_answer: 'the agent asked a question and is waiting for a person to answer it',
  held_by_run: 'a worker has claimed the task',
  task_closed: 'the task has ended',
  task_not_closed: 'the task has not ended',
  task_not_held: 'no worker has claimed the task',
  task_not_deferred: 'the task is not deferred',
  task_not_waiting_for_answer: 'the task is not waiting for an answer',
  nothing_proposed: 'no task here is waiting for approval',
  no_open_pull_request: 'the thread has no open pull request',
  no_checks: 'the project has no checks to run',
  not_on_this_forge: 'the pull request is on a forge and can only be changed there',
  nothing_claimable: 'there is no task that this worker may claim now',
  worker_busy: 'the worker already has a task',
  worker_draining: 'the worker is draining',
  missing_secret: 'the configuration of the leading node lacks a secret of the agent type',
  secrets_locked: 'the key of the secrets is missing, or another one, or cannot be read',
  no_new_key: 'the hall cannot make the next key of the secrets by itself',
  stale_fence: 'the run has ended or its task was given to another worker',
  not_your_run: 'the run belongs to another worker',
  approval_answered: 'the approval request has already been answered',
  wrong_nonce: 'the nonce does not match the approval',
  not_promotable:
    'the command cannot become a rule: it contains a secret, is too long, or would match other commands',
  too_many_rules: 'the limit on the number of rules is reached',
  dependency_cycle: 'the dependencies would form a cycle',
  bad_dependency: 'the dependency is unknown or in another project',
  children_out_of_range:
    'a decomposition must have 2 to 25 children (5 to 25 if the task is XL), a breakdown 1 to 25',
  not_declared: 'only a decomposition or breakdown may report children',
  key_reused: 'the idempotency key was already used for another request',
  invalid: 'the input is invalid',
} as const;

export type RefusalCode = keyof typeof REFUSALS;

export interface Mistake {
  readonly path: string;
  readonly message: string;
}

export interface Refusal {
  readonly refused: RefusalCode;
  readonly because: string;
  readonly mistakes?: readonly Mistake[];
}

export function refuse(
  refused: RefusalCode,
  because: string,
  mistakes?: readonly Mistake[],
): Refusal {
  return mistakes ? { refused, because, mistakes } : { refused, because };
}

export function isRefusal(answer: unknown): answer is Refusal {
  return typeof answer === 'object' && answer !== null && 'refused' in answer;
}
