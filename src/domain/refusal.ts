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
  unknown_skill: 'there is no sheet for this skill',
  unknown_token: 'no token has this name',
  unknown_rule: 'no rule has this id',
  unknown_approval: 'nothing with this id waits for approval',
  name_taken: 'something else has this name already',
  declared_in_file: 'the configuration file declares it, so the file has to change',
  project_has_open_tasks: 'a project with open tasks cannot be removed',
  project_paused: 'the project is paused',
  project_at_capacity: 'the project runs as many workers as it allows',
  project_not_allowed: 'the instance or the worker is not allowed in this project',
  hall_paused: 'the hall is paused',
  hall_draining: 'the hall is draining and starts nothing more',
  instance_paused: 'the agent instance is paused or disabled',
  instance_at_capacity: 'the instance runs as many tasks at once as it may',
  instance_mismatch: 'the task asks for another type or instance',
  labels_prefer_others: "the thread's labels belong to other instances",
  no_cell: 'the machine of the worker builds none of the cells that its projects ask for',
  no_worker: 'no live worker of an eligible instance is waiting',
  no_credit: 'no invoker has credit left for this run',
  invoker_parked: 'a limit of the model provider keeps the invoker from paying for a while',
  no_invoker: 'no invoker pays for runs in this project',
  over_budget: 'the run has cost at the model as much as it may',
  thread_handed_over: 'a person has taken the thread over',
  thread_busy: 'another run works in this thread',
  behind_in_thread: 'an earlier task of the same thread comes first',
  waits_for_dependency: 'a thread it depends on is not done',
  needs_approval: 'the task is proposed and waits for approval',
  not_due: 'the task is deferred',
  waits_for_answer: 'the agent asked a person and waits for the answer',
  held_by_run: 'a worker has the task',
  task_closed: 'the task has ended',
  task_not_closed: 'the task has not ended',
  task_not_held: 'no worker has the task',
  task_not_deferred: 'the task is not deferred',
  task_not_waiting_for_answer: 'the task asked no question',
  nothing_proposed: 'nothing waits for approval here',
  no_open_pull_request: 'the thread has no open pull request',
  not_on_this_forge: 'the pull request lives on a forge, which alone can do this',
  nothing_claimable: 'there is nothing this worker may take now',
  worker_busy: 'the worker has a task already',
  worker_draining: 'the worker is draining',
  stale_fence: 'the run has ended or was given to another worker',
  not_your_run: 'the run belongs to another worker',
  approval_answered: 'somebody has answered already',
  wrong_nonce: 'the answer does not carry the nonce that the approval shows',
  not_promotable: 'a rule would keep a secret of the command, or mean more than it',
  too_many_rules: 'there are as many rules as there may be',
  already_started: 'the run has started already',
  dependency_cycle: 'the dependencies would form a cycle',
  bad_dependency: 'the dependency is unknown or in another project',
  children_out_of_range:
    'a task is split into 5 to 25 children when it is XL, otherwise into 2 to 25',
  not_declared: 'a decomposition or breakdown is reported with its children, other skills without',
  key_reused: 'the idempotency key was used for another request',
  invalid: 'the input has mistakes',
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
