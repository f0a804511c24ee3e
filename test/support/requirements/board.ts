import type { Section } from './section.ts';

export const BOARD: Section = {
  title: 'Board, projects, workers',
  rows: {
    'GH-010': {
      short: 'Every task ends with a reason; a waiting one shows why, since when and what frees it',
      clauses: [
        '(a) Every task that enters ends `completed`, `failed`, `rejected` or `cancelled`, with a reason;',
        '(b) a waiting task shows why it waits, since when, and what would free it',
      ],
    },
    'GH-011': {
      short:
        'Size comes from operator, label or source; each has a target, and a limit that ends a run',
      lead: 'Size is set',
      clauses: [
        '(a) by the operator or a label `size:xs` … `size:xl`,',
        "(b) by the source (Spiral Grove's Complexity),",
        '(c) never by an agent, which may only suggest one;',
        "(d) missing → the project's `default_size` (M); the other tasks of a thread have its size, `triage` and `decompose` M's times.",
        '(e) Target: XS, S 30 min; M 1 h; L 3 h. A run that exceeds it goes on; a warning event records it and the board shows it.',
        '(f) The limit is separate: `time_limits` per project by size, default twice the target. Overrun ends run and task as `failed: timeout`, keeps the branch, is not retried. Time spent waiting for a person counts for neither',
      ],
    },
    'GH-012': {
      short: 'An XL task becomes 5 to 25 children; progress reads "N of M completed"',
      clauses: [
        '(a) A task of size XL is decomposed into 5–25 children, any other size on request into 2–25; another number is refused;',
        '(b) progress reads "N of M completed", where a child counts when its thread is done: PR merged, or completed where there is no PR;',
        '(c) the same predicate opens a dependency',
      ],
    },
    'GH-013': {
      short: 'Completion rate and time by size, shown against the targets',
      clauses: [
        '(a) Completion rate by size is computed and shown against its target (> 90 % of completed + failed; rejected and cancelled are not counted as well-specified),',
        '(b) completion time by size against the targets of GH-011;',
        '(c) both in the API, the CLI and the dashboard',
      ],
    },
    'GH-014': {
      short: "A person finds any task's state within 30 s, by id, words, URL or branch",
      lead: "A person finds any task's state within 30 s",
      clauses: [
        '(a) by id and by words of its title or text, and',
        '(b) by issue URL and by branch, in the CLI;',
        '(c) by all of these in the dashboard',
      ],
    },
    'GH-020': 'The board holds projects, active workers, tasks, completed work',
    'GH-021': {
      short: 'Projects by YAML and by API; what the file declares belongs to the file',
      clauses: [
        '(a) Projects are registered with configurable sources, by YAML and by API;',
        '(b) what the file declares (projects, types, invokers) belongs to the file: the API refuses to change it, naming file and line,',
        '(c) except pause, resume and reset;',
        '(d) the file is read at start and on SIGHUP, and what the API made lives in the database;',
        '(e) a project that left the file with open tasks is paused and shown, never deleted',
      ],
    },
    'GH-022': '`max_workers` per project',
    'GH-023': 'Workers select for themselves',
    'GH-024': {
      short: 'One task per worker, one worktree per task',
      clauses: ['(a) One task per worker;', '(b) one worktree per task'],
    },
    'GH-025': 'Reports: success, failure, rejection, awaiting input, each with results',
    'GH-026': 'Dead workers are found and their tasks released; nothing is orphaned',
    'GH-027': {
      short: 'Sources are pluggable behind one contract',
      clauses: [
        '(a) Sources are pluggable behind one contract, whose suite runs on every kind:',
        '(b) GitHub issues,',
        '(c) Forgejo issues,',
        '(d) Spiral Grove breakdowns,',
        '(e) `specs/*.md`,',
        '(f) the API',
      ],
    },
    'GH-028': {
      short: 'The recruiter starts workers where capacity and work exist, and cleans up',
      lead: 'The recruiter starts workers when capacity and claimable tasks exist,',
      clauses: [
        '(a) for a project in a folder (`file:`) and',
        '(b) for one on a forge;',
        '(c) it cleans up after them',
      ],
    },
    'GH-029': {
      short: 'Health of every managed component',
      lead: 'Health of every managed component:',
      clauses: [
        '(a) store, recruiter, executors, workers, invokers, disk;',
        '(b) sources and forges; one that is configured but that nobody polls is `degraded`, never `up`',
      ],
    },
    'GH-030': {
      short: 'A heartbeat every 3 min, sent by the host; dead after 6 min of silence',
      clauses: [
        '(a) Heartbeat every 3 min; a worker is dead after 6 min of silence (both configurable);',
        '(b) sent by the host, so a long tool call or a pending approval does not stop it',
      ],
    },
    'GH-031': {
      short: 'An XL task is planned in three documents; the waiting parent holds no slot',
      clauses: [
        '(a) A manager agent that claims an XL task writes spec → plan → breakdown: three documents of the parent thread, kept on the board,',
        '(b) shown by the CLI and the dashboard,',
        "(c) given to the children's agents as marked data,",
        '(d) and, where the project sets `planning_dir`, committed to the repository there too.',
        '(e) Each child carries a *suggested* size, which counts only when the approving person confirms it (GH-011c).',
        '(f) The children appear on the board; the parent aggregates them and, while it waits, occupies no worker slot',
      ],
    },
    'GH-032': {
      short: 'A source that is down is retried with backoff, then probed until it heals',
      lead: 'Source unavailable:',
      clauses: [
        '(a) exponential backoff, at most 5 retries, then a slow probe so that it heals;',
        '(b) health says `degraded`, "task source unavailable";',
        '(c) tasks already on the board go on',
      ],
    },
    'GH-040': 'Everything visible over the API: board, workers, history, events',
    'GH-041': 'Every state change is an event with a timestamp, actor and cause',
    'GH-042': 'A worker crash never loses a task',
    'GH-043': 'A hall restart, even `kill -9`, loses nothing that was acknowledged',
    'GH-044': 'One command starts the core service',
    'GH-045': {
      short: 'Projects in YAML, mistakes told with file, line and path',
      clauses: [
        '(a) Projects are declared in YAML,',
        '(b) validated with file, line and path of the mistake',
      ],
    },
    'GH-046': {
      short: 'At least 5 projects with 3 workers each at once; ours: 50 with 20',
      clauses: ['(a) At least 5 projects × 3 workers at once;', '(b) ours: 50 × 20'],
    },
    'GH-047': {
      short: 'Board queries within 5 s; ours: p99 under 50 ms with a million tasks',
      clauses: [
        '(a) Board queries within 5 s;',
        '(b) ours: p99 < 50 ms with 1 M tasks and 10 M events',
      ],
    },
    'GH-048': 'Authentication can be switched on without redesign (ours: it is built)',
    'GH-050': 'No coordinator assigns; agents need not know each other',
    'GH-052': 'Agents run on the Claude Agent SDK; no hand-made LLM loop',
    'GH-053': {
      short: 'First in, first out within a project, with no priorities',
      lead: 'FIFO within a project, no priorities:',
      clauses: [
        "(a) of the tasks that a worker may take, that of the earliest thread is claimed first, and a requeued or follow-up task keeps its thread's place (rule 2);",
        '(b) no field, label, size or priority written in a source changes the order',
      ],
    },
    'GH-054': 'No cloud service needed; everything runs on a local network',
    'GH-060': {
      short: 'Optional auth header on every endpoint; identity token in every worker request',
      clauses: [
        '(a) Optional auth header on every endpoint;',
        '(b) identity token in every worker request',
      ],
    },
    'GH-062': {
      short: 'Credentials are stored apart from configuration, encrypted at rest',
      lead: 'Credentials are stored',
      clauses: ['(a) apart from configuration,', '(b) encrypted at rest'],
    },
    'GH-063': {
      short: 'Limits of cpu, memory, processes and network are enforced in every cell',
      clauses: [
        '(a) `limits` (cpu, memory, pids) per type and per project, the stricter wins, enforced in every cell: a run that exceeds memory or pids ends with that reason, one that asks for more cpu gets its share, and its neighbours go on;',
        "(b) `network`, an allow-list of hosts per project (default: none) and per type (default: the project's): a run reaches only the hosts that both allow;",
        '(c) in `sandbox` by cgroup where one can be had, else by rlimit;',
        '(d) what the machine cannot enforce is shown in health',
      ],
    },
    'GH-064':
      '`docs/guide/security.md` says for each subsystem (board, sources, recruiter, worker, observability, tool authorisation) what is trusted and where it is checked',
    'GH-080': {
      short: 'A rejection carries code, message, what is missing and questions, and is counted',
      clauses: [
        '(a) A rejection carries `reason_code` (`underspecified`, `out_of_scope`, `too_large`, `duplicate`, `blocked`, `unsafe`), `message`, `missing[]`, `questions[]`, `suggested_size`;',
        '(b) it is counted by code, so that operators learn',
      ],
    },
    'GH-T01': "A project registered with a GitHub issues source appears in the board's state",
    'GH-T02': 'A worker starts, asks, receives an available task; the task is marked claimed',
    'GH-T03': 'A worker completes and reports; the result is visible in the history',
    'GH-T04': 'An under-specified task is rejected with a reason, marked rejected, not retried',
    'GH-T05': 'A worker process killed mid-task: the task is back in the pool within the timeout',
    'GH-T06': '`max_workers: 2`: the third claim is blocked',
    'GH-T07': 'No heartbeat for 6+ min: the worker is marked dead, its task released',
    'GH-T08': 'Workers of project A cannot claim tasks of project B',
    'GH-T09': {
      short: 'An XL task gets children and the board shows "3 of 10 completed"',
      clauses: [
        '(a) An XL task claimed by a manager; children created; the board shows "3 of 10 completed":',
        '(b) `GET /v1/board`,',
        '(c) `guildhall board`,',
        '(d) the dashboard',
      ],
    },
    'GH-T10': {
      short: "When the forge's API fails, retries back off and health says so",
      lead: "The forge's API fails:",
      clauses: ['(a) retries with backoff;', '(b) health reports "task source unavailable"'],
    },
    'GH-T11': 'A heartbeat updates `last_seen`; the worker is in the list of active workers',
  },
};
