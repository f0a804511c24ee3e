import type { Section } from './section.ts';

export const AGENT_POOL: Section = {
  title: 'Agent pool',
  rows: {
    'CH-030': {
      short: 'Types declare forge user, git identity, key, prefix, model and image',
      clauses: [
        '(a) Per type, in the `types:` section of the YAML: forge user, token path, git identity, GPG key, branch prefix (in place of `hall` in HA-065), default model, default image;',
        '(b) or in `config/agents.json` in the claude-hooks shape (section 7).',
        '(c) Required: git identity and model; forge user and token path where the forge needs them; a missing required field fails at start with its path',
      ],
    },
    'CH-031': {
      short: 'The agents table and its columns',
      clauses: [
        '(a) Table (or SQL view) `agents`, under that name on both stores: name PK, type, model?, prompt_appendix?, match_labels? (JSON array), notes?, created_at, updated_at;',
        '(b) the API says `created_at` and `updated_at` too;',
        "(c) more columns: enabled; projects (null = all); parallel = runs at once (default 1; 0 = no limit but the projects' `max_workers`)",
      ],
    },
    'CH-023': {
      short: 'The first sight of a type seeds one default instance, once',
      clauses: [
        '(a) A type seen for the first time gets one `<type>-default` with `parallel: 0`, once: deleted, it stays deleted; so a fresh hall with `max_workers: 3` runs three.',
        "(b) Container of an instance's n-th worker: `<prefix>-<instance>-<n>` from the second on",
      ],
    },
    'CH-002':
      'Several instances of one type run in parallel; a long task never blocks others of its type',
    'CH-003':
      'Example fleet works: `reviewer-security` (stronger model, label `security`), `reviewer-default` for the rest',
    'CH-004': {
      short: 'Instances are changed over API, CLI and dashboard without restart',
      lead: 'Create, read, update, delete instances without restart,',
      clauses: [
        '(a) over API and CLI,',
        '(b) in the dashboard;',
        '(c) deletion ends the run (≤ 15 s), releases the task, removes the container, keeps the state volume unless `wipe` with the name typed',
      ],
    },
    'CH-032': {
      short:
        '`fix-ci` and `address-review` resume the session of their thread, in any member of the type',
      lead: "Session key `<type>:<repo>:<issueOrPr>`, where the number is the thread's issue (the PR where there is none):",
      clauses: [
        "(a) fix-ci and address-review resume implement's session,",
        '(b) in any member of the type;',
        '(c) failed resume → one fresh retry with a warning;',
        '(d) history kept on disk by the hall',
      ],
    },
    'CH-033': {
      short:
        'Container and state volume are named after the instance; runs enter it one after another',
      clauses: [
        '(a) Container `<prefix>-<instance-name>` (prefix configurable, default `guildhall`), state volume `<prefix>-<instance>-state`. With `isolation: container`',
        "(b) this container is the cell of the instance's runs: long-lived, runs enter it one after another by exec;",
        "(c) only the current run's workspace is in its work directory, all processes are killed and HOME and /tmp are fresh at each end, and it is recreated before a run of another project.",
        '(d) The volume holds caches only, one directory per project; sessions, secrets and workspaces never',
      ],
    },
    'CH-050':
      '`prompt_appendix` is appended after the skill under `## Agent-specific guidance`, on every path',
    'CH-055': {
      short: 'Containers follow the agents table',
      lead: 'Containers are reconciled from the table:',
      clauses: [
        '(a) create, start, recreate on drift, remove;',
        '(b) at start, on every change, and by `guildhall agents sync`',
      ],
    },
    'CH-056': {
      short: 'A watchdog recreates containers every minute',
      lead: 'Watchdog every 60 s:',
      clauses: [
        '(a) stopped or missing containers are recreated with events;',
        '(b) an engine failure skips the tick',
      ],
    },
    'CH-065': {
      short: 'The dashboard shows and edits the agents',
      lead: 'Dashboard:',
      clauses: [
        '(a) agents table with live status, queue depth, override badges;',
        '(b) create/edit/delete forms;',
        '(c) read-only skill viewer',
      ],
    },
    'CH-069': {
      short: 'Live stream with resume; stats and usage panels',
      clauses: [
        '(a) SSE with heartbeat and resume;',
        '(b) `/stats` panel: totals, by agent, by repo, by day, success rate (cancelled excluded), window 7d/30d/90d/all;',
        '(c) `/usage`: tokens, turns, thresholds 50/80/95 %',
      ],
    },
    'CH-075': {
      short:
        'Ten skills as files, each with its default type; host merges and rebases without a model',
      clauses: [
        '(a) Skills `implement`, `address-review`, `review`, `rebase`, `merge`, `fix-ci`, `breakdown`, `triage`, `decompose`, `post-mortem`, as files reviewable by PR, each naming its default type: implement, address-review, fix-ci, rebase → `dev`; review → `reviewer`; merge, breakdown, triage, decompose, post-mortem → `boss` (persona Old Major).',
        '(b) `guildhall init` writes these three types, and `config check` and `why` name a skill whose type has no enabled instance.',
        '(c) A merge and a rebase without conflict are done by the host, with no model run and no credit;',
        "(d) `rebase` is posted when the host's rebase conflicts,",
        '(e) `merge` (a last look before the host merges) where the project asks for it.',
        '(f) Delta variants for resumed sessions',
      ],
    },
    'CH-077': {
      short: 'Breakdown files one issue per section of a specification',
      lead: '`breakdown`:',
      clauses: [
        '(a) `/breakdown <spec>` on a tracking issue,',
        '(b) or the CLI, files one issue per section of `specs/*.md` with acceptance, dependencies, order;',
        '(c) labels only from those that exist in the repository: the routing labels that instances name in `match_labels`, and `area:*`; `security` by keyword;',
        '(d) one repository at a time; a missing spec fails loudly',
      ],
    },
    'CH-080': {
      short: 'The review loop ends at max_rounds as the merge policy says',
      clauses: [
        '(a) The review loop ends at `max_rounds`, by `merge_policy`. A forced merge is recorded with a flag of its own',
        '(b) in the event, the thread and the stats,',
        '(c) in the audit record,',
        '(d) and as a badge',
      ],
    },
    'CH-082': {
      short: 'Pending CI is no reason to request changes',
      lead: 'Pending CI:',
      clauses: [
        '(a) the reviewer comments, never requests changes for it;',
        '(b) the round counter stays',
      ],
    },
    'CH-083': {
      short: 'After CI the PR is merged, rebased, re-requested or reviewed',
      lead: 'Post-CI routing:',
      clauses: [
        '(a) approved + mergeable → merge; approved + conflict → rebase;',
        '(b) stale verdict → re-request; none → review;',
        '(c) after a merge the other PRs are rebased.',
        '(d) A PR on which no check has appeared 5 min after its push (`ci_wait`) is routed as if green, and the card says "no CI";',
        '(e) merging it by policy needs `ci: none` in the project',
      ],
    },
    'CH-090': {
      short: 'Session history persists; a sweeper drops what is old or closed',
      clauses: [
        '(a) Session history persists; a sweeper drops sessions, transcripts and worktrees',
        '(b) by age (30 d) and',
        '(c) for closed issues',
      ],
    },
    'CH-096':
      "The projects' `repo:` are the allow-list: a delivery from an unknown repository is logged and refused",
    'CH-098': {
      short: 'SIGTERM drains, and containers survive a restart',
      clauses: ['(a) SIGTERM drains;', '(b) containers survive a hall restart'],
    },
  },
};
