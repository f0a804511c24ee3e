import type { Instant } from '../ids.ts';
import { nameOf } from '../ids.ts';
import { knownPullRequest, type Thread } from '../thread.ts';
import type { Stage } from './stage.ts';
import { withoutMentions } from './without-mentions.ts';

/** People do not see it; the hall finds its card by it. */
export const CARD_MARKER = '<!-- hall-status -->';

interface CardFacts {
  readonly thread: Thread;
  readonly stage: Stage;
  /** The address of the hall's pages; null when people cannot reach it. */
  readonly hallUrl: string | null;
  readonly actor: string | null;
  /** What people should know about how the hall follows the repository; empty when nothing. */
  readonly notices: readonly string[];
}

/** The one comment of the hall on an issue or pull request, edited as the work goes on. */
export function statusCard({ thread, stage, hallUrl, actor, notices }: CardFacts): string {
  const { branch } = thread.forge;
  const pr = knownPullRequest(thread.forge.pr);
  const name = nameOf('thread', thread.id);
  const by = actor === null ? '' : ` by ${shownText(actor)}`;
  const rows = [
    ['Stage', stageText(stage)],
    ['Agent', `\`${thread.agent ?? 'any'}\``],
    ['Dispatched', `${isoTime(thread.openedAt)}${by}`],
    ['Branch', branch === null ? '–' : `\`${branch}\``],
    ['PR', pr === null ? '–' : `#${pr.number}`],
    ['Run', hallUrl === null ? name : `[${name}](${hallUrl}/threads/${name})`],
  ];
  return [
    CARD_MARKER,
    ...['| | |', '| --- | --- |'],
    ...rows.map(([key, value]) => `| **${key}** | ${value} |`),
    ...(stage.details === '' ? [] : ['', quoted(stage.details)]),
    ...notices.flatMap((notice) => ['', notice]),
  ].join('\n');
}

function stageText({ is, details }: Stage): string {
  return is === 'ci-fix' ? `${is} (${details})` : is;
}

/** Text of agents and people: it must not mention anybody, nor end the quote. */
function quoted(text: string): string {
  const lines = shownText(text).slice(0, MAX_DETAILS).split('\n');
  return lines.map((line) => `> ${line}`).join('\n');
}

const MAX_DETAILS = 4_000;

/** Keeps names from being mentioned and markers from being hidden in it. */
function shownText(text: string): string {
  return withoutMentions(text).replaceAll('|', '\\|');
}

function isoTime(at: Instant): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
