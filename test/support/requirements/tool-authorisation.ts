import type { Section } from './section.ts';

export const TOOL_AUTHORISATION: Section = {
  title: 'Tool authorisation',
  rows: {
    'GH-100': {
      short: 'Every bash call passes the rules: deny, then accept, then review',
      clauses: [
        '(a) Every bash call of an agent passes a rule engine: accept, deny, or human review;',
        '(b) order deny → accept → review, deny always wins.',
        '(c) An agent run by `command:` is not gated: `config check`, `doctor`, health and the board say so wherever such a type is used, as for `isolation: none`',
      ],
    },
    'GH-101': {
      short:
        'A decision under 100 ms with 1,000 rules; ordinary commands need no person, exfiltration does',
      clauses: [
        '(a) Decision under 100 ms with 1,000 rules (ours: p99 < 5 ms);',
        '(b) > 95 % of ordinary development commands resolved without a person;',
        '(c) no command that can exfiltrate runs unapproved',
      ],
    },
    'GH-103': {
      short: 'Rules match program, command, flags and paths, by glob and regex',
      lead: 'Rules match',
      clauses: ['(a) the program, the whole command, flags and paths,', '(b) by glob and by regex'],
    },
    'GH-104': {
      short: 'A project can add rules but never weaken a global deny',
      clauses: [
        '(a) Rules have global or project scope;',
        '(b) a project can add, never weaken a global deny',
      ],
    },
    'GH-105': {
      short: 'Accept runs at once, deny returns the reason, review pauses the agent',
      clauses: [
        '(a) Accept runs at once;',
        '(b) deny returns the reason to the agent;',
        '(c) review pauses the agent',
      ],
    },
    'GH-106': 'A review shows command, task, worker, project, last 5 commands, worktree',
    'GH-107': {
      short: 'Approve once, deny once, or promote to a rule; no answer means deny',
      lead: 'Answers:',
      clauses: [
        '(a) approve once, deny once;',
        '(b) approve and promote to a rule;',
        '(c) after 15 min (configurable) without one: deny',
      ],
    },
    'GH-108': {
      short: 'Every decision is logged with rule and time, queryable, kept 30 days, redacted',
      lead: 'Every decision is',
      clauses: [
        '(a) logged with matched rule and response time,',
        '(b) queryable by decision, project and time,',
        '(c) kept ≥ 30 days;',
        '(d) secrets are redacted',
      ],
    },
    'GH-109': {
      short: 'Rules by API take effect at once; dry run and look-back over the log',
      clauses: [
        '(a) Rules by API, effective at once;',
        '(b) dry run;',
        '(c) "what would this rule have matched" over the log',
      ],
    },
    'GH-110': {
      short: 'Commands are parsed as shell; the strictest part wins; failure denies',
      lead: 'The command is parsed as shell, not matched as text:',
      clauses: [
        '(a) every part of `&& || ; | $( ) <( )`, subshells, `bash -c`, `xargs`, `find -exec`, `env`, heredocs is judged and the strictest verdict wins;',
        '(b) `c\\url`, quotes and variables do not slip through;',
        '(c) paths are resolved through symlinks;',
        '(d) what cannot be parsed goes to review;',
        '(e) engine failure denies',
      ],
    },
    'GH-T20': 'A test runner is accepted and runs',
    'GH-T21': '`curl http://…` is denied with the reason',
    'GH-T22': '`rm -r ./temp` goes to review',
    'GH-T23': 'A review without an answer is denied after the timeout',
    'GH-T24': 'Approve-and-promote creates a rule that then accepts',
    'GH-T25': "A global deny beats a project's accept (`curl localhost*`)",
    'GH-T26': '`cu\\rl http://…` is denied',
    'GH-T27': 'A path through a symlink to a key is denied',
    'GH-T28': 'A rule added over the API works without a restart',
    'GH-T29': 'The log answers "human denials of the last 24 h"',
  },
};
