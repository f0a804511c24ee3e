import type { Section } from './section.ts';

export const OURS: Section = {
  title: 'Ours',
  rows: {
    'X-001': {
      short: 'The demo tells a whole story offline in under a minute',
      lead: '`guildhall demo`:',
      clauses: [
        '(a) with no account, no network and no forge, a whole story runs in front of the user: a sample repository, tasks, three agents on the real Claude Agent SDK against a scripted model, a CI failure fixed, a review addressed, a merge;',
        '(b) a conflict avoided;',
        '(c) in under a minute;',
        '(d) the dashboard shows it live',
      ],
    },
    'X-002': {
      short: '`init` writes a commented configuration; `doctor` says the fix',
      clauses: [
        '(a) `guildhall init` writes a commented config; `guildhall doctor` checks',
        '(b) git, containers, clock and disk,',
        '(c) tokens, webhook reachability and labels, and says the fix',
      ],
    },
    'X-003': {
      short: 'Why a task is not running, answered by rule',
      lead: '"Why is this task not running?" answered by rule,',
      clauses: ['(a) in the API and CLI (`guildhall task why <task>`),', '(b) in the dashboard'],
    },
    'X-004': {
      short: 'Kill switch: pause, drain and resume at every level',
      lead: 'Kill switch:',
      clauses: ['(a) pause and resume all, a project, an instance, an invoker;', '(b) drain'],
    },
    'X-005': {
      short: 'Cancel, retry, reopen, edit and release a task; hand a thread over and back',
      clauses: [
        '(a) Per task: cancel, retry, reopen, edit, release;',
        '(b) per thread: hand over to a human and hand back',
      ],
    },
    'X-006': {
      short: 'Live log, full transcript and search',
      clauses: [
        '(a) Live log of a run and the full transcript after it;',
        '(b) search over tasks and history',
      ],
    },
    'X-007': {
      short: 'Spend per task, repository, agent and invoker, with ceilings and forecast',
      clauses: [
        '(a) Spend per task, repo, agent, invoker;',
        '(b) ceilings per task and per day that stop work;',
        '(c) forecast of the cap',
      ],
    },
    'X-008':
      'Notifications (webhook, shell, mail) for escalated, awaiting input, approval pending, quota, source down',
    'X-009': {
      short: 'Liveness, readiness, metrics, traces and structured logs',
      clauses: [
        '(a) `/healthz`, `/readyz`, `/metrics` (Prometheus);',
        '(b) OpenTelemetry traces with GenAI conventions;',
        '(c) structured logs with redaction',
      ],
    },
    'X-010': {
      short: 'OpenAPI, a typed client, and --json with exit codes on every command',
      clauses: [
        '(a) OpenAPI at `/openapi.json`;',
        '(b) a typed client package that agrees with it;',
        '(c) every CLI command has `--json` and documented exit codes',
      ],
    },
    'X-011':
      'MCP server: any MCP-capable agent can list, claim, heartbeat, note and report through the same claim rules',
    'X-012': {
      short: 'Any agent backend behind one contract',
      lead: 'Any agent backend behind one runner contract:',
      clauses: ['(a) Claude Agent SDK (default),', '(b) a generic command backend,', '(c) ACP'],
    },
    'X-013': {
      short: 'Backup, restore, export, import, and migrations with a backup',
      clauses: [
        '(a) Backup and restore;',
        '(b) export and import;',
        '(c) migrations with version and automatic backup',
      ],
    },
    'X-014': {
      short: 'Webhooks are verified, bounded, idempotent, order-safe and caught up',
      lead: 'Webhooks:',
      clauses: [
        '(a) signature (timing-safe), size limit;',
        '(b) idempotent by delivery id, out-of-order safe;',
        '(c) missed events found again by a catch-up poll after downtime',
      ],
    },
    'X-015': {
      short: 'A worker that lost its lease can change nothing anywhere',
      lead: 'Fencing: a worker that lost its lease can change nothing:',
      clauses: ['(a) not the board,', '(b) not the branch,', '(c) not the thread'],
    },
    'X-016': {
      short: 'Exactly one PR per thread, whatever is retried; defined outcomes around it',
      clauses: [
        '(a) Exactly one PR per thread, whatever is retried; each has a defined outcome with a test:',
        '(b) branch exists, PR reopened, base moved, force-push;',
        '(c) deleted issue, renamed repo',
      ],
    },
    'X-017': {
      short: 'Empty, oversized and out-of-scope changes have defined outcomes; CI loops end',
      lead: 'Defined outcomes:',
      clauses: [
        '(a) no change, empty diff;',
        '(b) diff over the limit, edits outside scope.',
        '(c) No-progress detection stops a CI loop that repeats itself',
      ],
    },
    'X-018': {
      short: 'Secrets never leave in prompts, events, logs, transcripts, cards or diffs',
      lead: 'Secrets:',
      clauses: [
        '(a) never in prompts, events, logs, transcripts;',
        '(b) never in cards and comments, which are scanned before they leave;',
        '(c) diffs are scanned before they leave',
      ],
    },
    'X-019': 'Tamper-evident event log (hash chain), `guildhall audit verify`',
    'X-020': {
      short: 'The board can be seen at any past time, and is the fold of its events',
      clauses: [
        '(a) Time travel: `guildhall board --at <time>`;',
        '(b) the board is the fold of its events, proven by rebuilding it',
      ],
    },
    'X-021': {
      short: 'A running hall is upgraded, and rolled back from its backup',
      lead: 'Upgrade and rollback of a running hall, for whoever maintains it:',
      clauses: [
        "(a) this release starts on the previous release's database, on SQLite and on PostgreSQL, and goes on with its open tasks;",
        '(b) the previous release goes on from the backup taken before it;',
        '(c) `docs/guide/upgrade.md` says both, and a test runs its commands',
      ],
    },
    'X-030': {
      short: 'Open branches that conflict are shown before either is merged',
      lead: 'Conflict radar:',
      clauses: [
        '(a) open branches of a repository are merged in memory pairwise (`git merge-tree`), and conflicts show on both threads before anyone merges;',
        '(b) the later one is rebased after the first is merged',
      ],
    },
    'X-031': {
      short: 'Approved PRs of a graph are merged in order, each tested on its new base',
      lead: 'Merge train:',
      clauses: [
        '(a) approved PRs of a dependency graph are merged in order,',
        '(b) each re-tested on its new base',
      ],
    },
  },
};
