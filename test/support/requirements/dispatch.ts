import type { Section } from './section.ts';

export const DISPATCH: Section = {
  title: 'Dispatch, invokers, threads',
  rows: {
    'HA-020': {
      short: 'Label path: a label on an issue or PR posts a task for that agent',
      lead: '**Label path**: `hall:<agent>` (an instance, persona or type, rule 5) posts a task for that agent:',
      clauses: [
        '(a) on an issue `implement`, or what the mode says (HA-033);',
        '(b) on a PR `review` for an agent of type `reviewer`,',
        "(c) otherwise `address-review` on the PR's branch, if that branch is the hall's own or the project allows pushing to others in the same repository;",
        '(d) else the agent answers by comment',
      ],
    },
    'HA-021': {
      short: 'Comment path: a mention names the agent; an unknown one is told so',
      lead: '**Comment path**:',
      clauses: [
        '(a) `@<bot>[bot]? <agent>` (optional `agent:`) posts a task for that agent;',
        '(b) kebab slug only, so ordinary words are not agents;',
        '(c) unknown slug → a comment says so',
      ],
    },
    'HA-022': {
      short: 'Awaiting-input path: a reply re-posts for the same agent without a race',
      lead: '**Awaiting-input path**:',
      clauses: [
        '(a) while the thread awaits input, a human comment re-posts for the same agent with the reply as context;',
        "(b) decided by the board's state, not by the label, so there is no race",
      ],
    },
    'HA-023': {
      short: 'Review path: requested changes post address-review with the feedback',
      lead: '**Review path**:',
      clauses: [
        '(a) a review that requests changes on a bound PR,',
        '(b) or any review or comment that mentions the bot, posts `address-review` with the feedback (body and line comments) in memory;',
        '(c) approvals never',
      ],
    },
    'HA-024': {
      short: 'CI path: a failed head posts fix-ci once per commit, up to max_retries',
      lead: '**CI path**:',
      clauses: [
        '(a) when every check suite that has runs is finished on the head commit of a `hall/*` branch (or 15 min after its first failure) and one concluded `failure` or `timed_out`, `fix-ci` is posted with failing checks and log excerpts;',
        '(b) one retry per commit however many suites fail,',
        "(c) up to `max_retries` in a row per thread (a green head or a person's push starts the count again), then escalation.",
        '(d) Any CI counts without being listed; no file, workflow name or setting is asked of the target repository.',
        "(e) Suites without runs and the hall's own are ignored; `cancelled`, `skipped`, `neutral`, `stale`, `action_required` are not failures",
      ],
    },
    'HA-025': {
      short: 'Assignment path: triage by Old Major, or by the account of a type',
      lead: '**Assignment path**:',
      clauses: [
        '(a) an issue assigned to the bot without agent (or labelled `hall:dispatch-automaton`) posts `triage` for Old Major,',
        '(b) who picks the specialist by catalog, says why in the thread and edits the requirement, or asks,',
        '(c) and writes what the specialist needs to know (code, history, decisions in the thread) into the task memory. **By type**:',
        "(d) an issue assigned to a type's own `forge_user` posts `implement` for that type, a review requested from it posts `review`.",
        "(e) Where the bot's account cannot be assigned (a GitHub App), the label or a machine user does it, and `doctor` says so",
      ],
    },
    'HA-033': {
      short: 'The issue form names target repository and mode',
      lead: "From the issue form's body. **Target repository** (blank: this one):",
      clauses: [
        '(a) workspace, branch, PR and CI are there, cards on both; branch `hall/<agent>/<owner>-<repo>-issue-N`, PR `Closes owner/repo#N`;',
        "(b) it must be a project's repository and the actor must have the right there too. **Mode**: `doing` (default);",
        '(c) `advising` and `researching` have a read-only workspace, push nothing whatever the agent does, and end in a comment;',
        '(d) advising may propose children',
      ],
    },
    'HA-035': {
      short: 'Bots never trigger, and nothing the hall does triggers the hall',
      clauses: [
        '(a) Comments, reviews and assignments by bots never trigger;',
        "(b) a label set by another bot counts only if the thread's author has the right;",
        "(c) what the hall's own account does (known by exact id, never by name) triggers nothing: what the hall decides it writes on the board",
      ],
    },
    'HA-043': {
      short: 'The label set is created on demand, seeded and repaired',
      lead: 'Label set: `hall:dispatch-automaton`, `hall:awaiting-input`, `hall:queued`, `hall:invoker-queued`, `hall:post-mortem`, one per agent;',
      clauses: [
        '(a) created on demand,',
        '(b) seeded over all repos,',
        '(c) repaired when hand-edited',
      ],
    },
    'HA-010': {
      short: '`agents.yml` is the live catalogue of agents',
      lead: '`agents.yml`, the live catalog:',
      clauses: [
        '(a) type, display_name, author, teams, model, max_retries, max_turns, roles, domains, scope_summary;',
        '(b) MCP servers and allowed tools;',
        '(c) reread on change',
      ],
    },
    'HA-011': {
      short: 'Roster sheets hold one persona per agent; tasks may ask for a persona',
      clauses: [
        '(a) `roster/<slug>.md`, one persona per agent; reread on change. Settled rule 5:',
        '(b) `task add --agent <persona>` and the label `hall:<persona>` post a task that requires the persona; a slug that is no instance, persona or type is answered with the names there are;',
        "(c) any instance of the persona's type takes it, and the run has the persona's sheet, tools and turn limit, and the model of instance over persona over type;",
        '(d) the thread stays bound to that slug when another instance takes its next task',
      ],
    },
    'HA-012': {
      short: 'The base contract stands first in every prompt, above every persona',
      lead: '`agents/automaton_base.md`, the contract of all agents:',
      clauses: [
        '(a) it stands first in the prompt of every run;',
        '(b) the persona never overrides it: one that says otherwise gains no tool and no right',
      ],
    },
    'HA-061': {
      short: 'A prompt is contract, persona, skill, appendix, memory and the thread as marked text',
      clauses: [
        '(a) Prompt: base contract + persona + skill + appendix + task memory + thread text marked as data;',
        "(b) the repository's own CLAUDE.md is respected;",
        "(c) the hall's is never committed",
      ],
    },
    'HA-063':
      '`hall-{agent}-{issue}` serialises: a later dispatch queues behind, none is cancelled',
    'HA-065': {
      short: 'Branches are named hall/<agent>/issue-N, the prefix is configurable',
      clauses: [
        '(a) Branch `hall/<agent>/issue-N`;',
        '(b) the prefix is configurable, and the CI filter follows it',
      ],
    },
    'HA-068': {
      short: 'Outcomes are declared by the agent through a tool, never guessed from text',
      lead: 'Outcomes: pr_created, awaiting_input, comment_posted, rerouted, quota_exceeded, failed, max_turns_exceeded, rejected;',
      clauses: [
        '(a) declared by the agent through a hall tool, not guessed from text;',
        '(b) if the run dies first, the host works it out',
      ],
    },
    'HA-074': {
      short: "Commits carry the agent's identity and trailer, signed where there is a key",
      clauses: [
        "(a) Commits carry the agent's identity and a `Co-authored-by` trailer;",
        '(b) they are signed where the type has a key;',
        '(c) PR body: `Closes #N.`, what changed, acceptance checklist',
      ],
    },
    'HA-079': {
      short: 'Repository memory is offered, capped and append-only',
      lead: 'Repository memory `.hall-local.md`:',
      clauses: ['(a) offered, size-capped;', '(b) append-only, sections kept'],
    },
    'HA-090': {
      short: 'Invokers have credential, cap, usage and projects; the least used pays',
      lead: 'Invokers:',
      clauses: [
        "(a) handle, weekly cap, usage, projects (null = all); eligible: enabled, not paused, not parked by a limit, allowed in the project, cap not passed by this run's cost;",
        '(b) the credential is encrypted;',
        '(c) the least used pays: fewest credits in this window, ties by longest unused;',
        '(d) an API key pays for any authorised task, a personal subscription token only for tasks whose actor is its owner, until the owner sets `share: true`',
      ],
    },
    'HA-095': {
      short: 'No concurrency takes an invoker past its cap',
      lead: '**The cap race is closed**: under any concurrency,',
      clauses: ['(a) on SQLite and', '(b) on PostgreSQL, an invoker is never past its cap'],
    },
    'HA-096': {
      short: 'Choosing an invoker costs no forge call; forge calls share one budget',
      lead: '**No API storm**:',
      clauses: [
        '(a) selecting an invoker costs zero forge calls;',
        '(b) all forge calls go through one client with throttling, backoff and ETags,',
        '(c) and a budget shown in health',
      ],
    },
    'HA-099': {
      short: 'The weekly reset runs on time, by hand, or once if it was missed',
      lead: 'Weekly reset:',
      clauses: [
        '(a) Monday 00:00 UTC, run once if missed;',
        '(b) day configurable;',
        '(c) manual reset',
      ],
    },
    'HA-100': {
      short: 'An exhausted pool defers with a reason and opens again by itself',
      lead: 'Pool exhausted:',
      clauses: [
        '(a) task deferred with reason and "opens again at";',
        '(b) label `hall:invoker-queued`, one comment;',
        '(c) an invoker added, resumed or with a raised cap makes it claimable at once;',
        '(d) a reset or an opened limit is spread as HA-103, and the nightly round is the backstop;',
        '(e) `fallback: fail` fails instead',
      ],
    },
    'HA-102': 'Nightly retry at 03:00 UTC of both kinds of queued task, issues and PRs',
    'HA-103': {
      short: 'Restarts are spread by thread, so there is no herd',
      lead: '**No thundering herd**:',
      clauses: [
        '(a) deterministic per-thread jitter over a window (default 2 h) at the nightly round, at the weekly reset and when a parked credential opens;',
        '(b) the round stops at the first global quota error',
      ],
    },
    'HA-110': {
      short: 'The right to trigger is checked first and fails closed',
      lead: 'Authorisation before dispatch:',
      clauses: [
        '(a) GitHub/Forgejo team or org membership per agent, where none is configured write access to the repository;',
        '(b) fail closed;',
        '(c) the same right is needed to answer a question, to re-trigger by review, for `/commands` and to approve children;',
        '(d) a refusal removes the trigger label, names user, agent and team, spends nothing',
      ],
    },
    'HA-118': {
      short: 'Invokers are added by form or CLI, stored encrypted and probed',
      lead: 'Invoker onboarding',
      clauses: [
        '(a) by issue form and',
        '(b) by CLI: token stored encrypted,',
        '(c) probed with one turn; rate-limited counts as valid',
      ],
    },
    'HA-120': {
      short: 'Task memory lives with its thread and goes when the PR closes',
      lead: 'Task memory per thread (`hall-task-{repo}-{pr}`):',
      clauses: [
        '(a) agent, issue, pr, branch, retry, ci, review;',
        '(b) kept while the thread is open and at least 7 idle days, deleted at PR close;',
        "(c) binding and counters are the thread's own and are not lost with it",
      ],
    },
    'HA-121': {
      short: 'One versioned audit record per dispatch, kept 90 days',
      clauses: [
        '(a) One audit record per dispatch (`hall-log-{agent}-{issue}-{run}`), versioned JSON schema: requested/dispatched agent, rerouted, repo, issue, pr, actor, invoker, team, model, mcp servers, start, end, turns used/max, retry count, outcome, weekly count after;',
        '(b) kept 90 days;',
        '(c) exportable',
      ],
    },
    'HA-130': {
      short: 'One status card per page, found and edited in place',
      lead: '**Status card**:',
      clauses: [
        '(a) one comment on the issue and one on the PR, each with marker `<!-- hall-status -->`, found and edited in place at every stage, never a second one on the same page;',
        '(b) Stage, Dispatched, Branch, PR, Run link;',
        '(c) stages dispatching, analyzing, awaiting-input, queued, working, pr-opened, ci-fix (attempt N of M), escalated, failed, done',
      ],
    },
    'HA-144': {
      short: "The hall's own checks never feed the CI loop",
      lead: 'Check runs and commit statuses written by the hall',
      clauses: [
        '(a) are named `[Hall] …` and say whether the dispatch worked, not what the agent concluded;',
        '(b) never feed the CI loop, and count neither as green nor as pending CI;',
        "(c) are told apart by the hall's own App id or account, not by branch or name",
      ],
    },
    'HA-147':
      'Escalation: a PR comment mentions the invoker who paid and the actor, with attempts and last failing checks',
    'HA-161': {
      short: 'When a PR closes, what belongs to it is cleaned up',
      lead: 'When the PR closes,',
      clauses: [
        '(a) memory, labels, worktree, branch (if merged) and sessions are cleaned up;',
        '(b) "merged, task complete" stands on the issue only when merged',
      ],
    },
    'HA-171': {
      short: 'Agents coordinate by dependencies, shared notes and early conflict warnings',
      lead: '**Agent-to-agent coordination works**:',
      clauses: [
        "(a) dependency graph, B blocked until A's PR is merged;",
        '(b) B starts from the merged base;',
        '(c) shared notes on the board between siblings;',
        '(d) conflicts between open branches are seen before they are merged (X-030)',
      ],
    },
    'HA-172': {
      short: 'Decomposition is proposed, approved by a person and filed on the forge',
      lead: 'Decomposition:',
      clauses: [
        '(a) asked for in a thread (mode advising, `/decompose`), for size XL,',
        '(b) or proposed by Old Major himself when a task is not trivial.',
        '(c) One comment says what each child covers, the order and why;',
        "(d) children are `proposed` until a person with the trigger's right approves all or some (`/approve [n…]`, API, CLI, dashboard) or the project sets `auto_approve`.",
        '(e) On approval each is filed on the forge as an issue of its own (native sub-issue where there are such, otherwise linked from the parent), so that it has its thread, branch and PR',
      ],
    },
    'HA-177': {
      short: 'A new agent is onboarded by a form that ends in a PR',
      lead: 'Automaton onboarding:',
      clauses: [
        '(a) issue form → sheet checked → gaps asked',
        '(b) → PR with `agents.yml` entry and persona',
      ],
    },
    'HA-179': {
      short: 'A post-mortem classifies a failure and proposes a change',
      lead: 'Post-mortem: on failure or max turns an agent',
      clauses: [
        '(a) reads the audit and transcript and classifies,',
        '(b) and proposes a change to persona or tools',
      ],
    },
    'HA-190': {
      short: "The relay verifies, limits and forwards, and alone holds the App's key",
      lead: '**Relay**, the same program as `guildhall relay`:',
      clauses: [
        "(a) verifies the App's signature, drops duplicates, rate-limits per org;",
        "(b) forwards to the org's hall by installation over a versioned protocol, signed with a key agreed with that hall at pairing;",
        "(c) alone holds the shared App's private key and webhook secret, and mints installation tokens (one repository, least permissions, ≤ 1 h) only for the hall paired with that installation;",
        '(d) keeps no payload, no tenant secret',
      ],
    },
    'HA-192': {
      short: 'Federated halls share no state and no secrets',
      lead: '**Federation**:',
      clauses: [
        '(a) an org installs the published App, pairs its hall by a one-time code shown to an org admin, and is otherwise a self-hosted hall. Zero shared state and zero shared secrets between halls (tokens, counters, memories), shared are only App identity, relay routing, templates; proven with two halls and one relay:',
        "(b) each asks for the other's tokens and deliveries and is refused;",
        "(c) canaries of one are found nowhere in the other's or the relay's files, logs or traffic;",
        '(d) model credentials never leave the hall that owns them',
      ],
    },
    'HA-003': {
      short: 'Packaged: one-command install, App manifest, image, chart, systemd unit',
      lead: '**Packaged**:',
      clauses: [
        '(a) one-command install,',
        '(b) GitHub App manifest flow,',
        '(c) container image,',
        '(d) Helm chart,',
        '(e) systemd unit',
      ],
    },
    'HA-001': {
      short: 'GitHub Actions mode: the same core with its state only in GitHub',
      lead: '**GitHub Actions mode**, the same core on hosted runners:',
      clauses: [
        '(a) seven JavaScript actions, authorize, dispatch, memory, counter, status-card, cleanup, post-dispatch, each with its own `action.yml`, inputs and outputs, callable one by one;',
        "(b) the Hall's workflows on them (`invoke.yml` = `[Hall] Invoke Agent`, `hall-ci-loop.yml` = `[Hall] CI Re-dispatch Loop`, cleanup, nightly retry, weekly reset).",
        '(c) State only in GitHub: repository files, environments `invoker/<handle>` (credential, usage, cap), cache `hall-task-{repo}-{pr}`, artifacts `hall-log-{agent}-{issue}-{run}`.',
        '(d) The agent runs in the job of the selected environment, so the credential never leaves that runner.',
        "(e) `on: check_suite` does not fire for suites made by Actions: the loop is started by the App's webhook through the relay as `repository_dispatch`, without a relay by a scheduled sweep (not `workflow_run`: it would ask the target for names); a dispatch that GitHub drops from a concurrency group is found by its label and started by the sweep.",
        "(f) The counters are one file written through the contents API with its previous `sha` (409 → read again), the environment's variable a copy: two calls per selection whatever the number of invokers",
      ],
    },
  },
};
