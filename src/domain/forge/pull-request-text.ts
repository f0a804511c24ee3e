import { mendedText } from '../checking/compare-with-base.ts';
import type { Thread } from '../thread.ts';
import { issueKey } from './issue-record.ts';
import { withoutMentions } from './without-mentions.ts';

interface PullRequestText {
  readonly title: string;
  readonly body: string;
}

/** The pull request of a thread, for people: what it closes, what changed, and what to check. */
export function pullRequestText(
  { forge, project: _ }: Thread,
  {
    title,
    summary,
    repo,
  }: { readonly title: string; readonly summary: string; readonly repo: string },
): PullRequestText {
  const { issue } = forge;
  const lines = [
    ...(issue ? [`Closes ${referenceTo(issue, repo)}.`, ''] : []),
    ...(summary.trim() === ''
      ? []
      : ['## What changed', '', withoutMentions(summary.trim()).slice(0, MAX_SUMMARY), '']),
    ...(mendedText(forge.checks) === '' ? [] : [mendedText(forge.checks), '']),
    '## Acceptance',
    '',
    '- [ ] The change does what the issue asks for',
    '- [ ] Checks are green',
  ];
  return { title: oneLine(title), body: lines.join('\n') };
}

/** `#12` in the same repository, `acme/shop#12` elsewhere. */
function referenceTo(
  { number, repo: home }: NonNullable<Thread['forge']['issue']>,
  repo: string,
): string {
  if (home === undefined || home === repo) return `#${number}`;
  return issueKey(home.replace(/^[^:]*:/, ''), number);
}

function oneLine(title: string): string {
  return title.replace(/\s+/g, ' ').trim().slice(0, 250);
}

const MAX_SUMMARY = 20_000;
