import { agentInLabel, anyOfType, resolveAgentName } from '../agent-name.ts';
import type { Board } from '../board.ts';
import type { ClosedWork } from '../closed-work.ts';
import { type Decision, decide, type Now } from '../decision.ts';
import type { HallEvent } from '../event.ts';
import type { ThreadId } from '../ids.ts';
import { defaultType } from '../skill.ts';
import type { Thread } from '../thread.ts';
import { unknownAgentText } from './agent-names.ts';
import { issueForm, skillInMode } from './issue-form.ts';
import { type LookResult, openThreadOf, recordOf, seenEvents } from './look-result.ts';
import { postFromForge, routingLabels } from './post-from-forge.ts';
import type { Reply } from './reply.ts';
import { actorOf, mayLabel, neededText, teamsFor } from './rights.ts';
import type { Account, SetLabel } from './snapshot.ts';

/** A label `hall:<agent>` that is set now and was not acted on yet. */
interface Trigger {
  readonly label: SetLabel;
  readonly slug: string;
  readonly author: Account;
}

/** The labels to act on, oldest first. */
export function newTriggers(board: Board, result: LookResult): readonly Trigger[] {
  const { issue, pull } = result.snapshot;
  const source = issue ?? pull;
  if (!source) return [];
  const { events } = recordOf(board, result).seen;
  return allLabels(result)
    .filter(({ event }) => !events.includes(event))
    .flatMap((label) => {
      const slug = label.name === TRIAGE_LABEL ? TRIAGE : agentInLabel(label.name);
      return slug === undefined ? [] : [{ label, slug, author: source.author }];
    })
    .toSorted((a, b) => a.label.at - b.label.at);
}

/** Leaves the choice of the agent to triage. */
const TRIAGE = 'dispatch-automaton';
const TRIAGE_LABEL = `hall:${TRIAGE}`;

function allLabels({ snapshot: { issue, pull } }: LookResult): readonly SetLabel[] {
  return [...(issue?.labels ?? []), ...(pull?.labels ?? [])];
}

/** A label asks for an agent: posts its task, or answers why not. */
export function takeLabel(
  board: Board,
  closed: ClosedWork,
  { result, trigger }: { readonly result: LookResult; readonly trigger: Trigger },
  now: Now,
): Decision<ThreadId | null> {
  const { label, slug, author } = trigger;
  const seen = { events: [...recordOf(board, result).seen.events, label.event] };
  const teams = teamsFor(board, agentOf(board, trigger));
  if (!mayLabel(result.rights, { by: label.by, author }, teams)) {
    return answerOnly(board, result, seen, refusedLabel(result, trigger, teams));
  }
  const asker = label.by === null || label.by.isBot ? author : label.by;
  const actor = actorOf(result.repo, label.by ?? author);
  const by = { ...now, actor };
  if (label.name === TRIAGE_LABEL) {
    return postFromForge(
      board,
      closed,
      result,
      { skill: 'triage', agent: null, body: '', by: asker, seen },
      by,
    );
  }
  if (!resolveAgentName(board, slug)) {
    return answerOnly(board, result, seen, unknownAgent(board, result, trigger));
  }
  const skill = skillFor(board, result, slug);
  const task = { skill, agent: slug, body: '', by: asker, seen };
  return postFromForge(board, closed, result, task, by);
}

/** The agent that a label starts. */
export function agentOf(board: Board, { label, slug }: Trigger): string {
  return label.name === TRIAGE_LABEL ? anyOfType(board, defaultType('triage')).agent : slug;
}

/** On an issue the agent implements it; on a pull request a reviewer reviews, and others address the review. */
function skillFor(board: Board, { snapshot: { issue } }: LookResult, slug: string): string {
  if (issue !== null) return skillInMode(issueForm(issue.body));
  return resolveAgentName(board, slug)?.type === 'reviewer' ? 'review' : 'address-review';
}

function answerOnly(
  board: Board,
  result: LookResult,
  seen: { readonly events: readonly string[] },
  reply: Reply,
): Decision<null> {
  return decide(null, [
    { type: 'ReplyQueued', reply },
    ...seenEvents(recordOf(board, result), seen),
  ]);
}

function refusedLabel(
  { repo, number }: LookResult,
  { label, slug }: Trigger,
  teams: readonly string[],
): Reply {
  const who = label.by ? `@${label.by.login}` : 'Whoever set the label';
  const removesLabel = label.name;
  const text = `${who} may not start \`${slug}\` here: that needs ${neededText(teams)}. Nothing was started.`;
  return { key: `label-${label.event}`, repo, number, text, removesLabel };
}

function unknownAgent(board: Board, { repo, number }: LookResult, { label, slug }: Trigger): Reply {
  return {
    key: `label-${label.event}`,
    repo,
    number,
    text: unknownAgentText(board, slug),
    removesLabel: label.name,
  };
}

/** The labels that decide who takes the tasks of a thread follow those on the forge. */
export function takeRoutingLabels(board: Board, result: LookResult): Decision<ThreadId | null> {
  const thread = openThreadOf(board, result);
  if (!thread) return decide(null, []);
  const labels = routingLabels(result.snapshot);
  const isSame = [...thread.labels].sort().join('\n') === labels.join('\n');
  return decide(thread.id, isSame ? [] : [labelsChanged(thread, labels)]);
}

function labelsChanged({ id }: Thread, labels: readonly string[]): HallEvent {
  return { type: 'ThreadChanged', thread: id, change: { labels } };
}
