import { EmulatorRefused } from './emulator-refused.ts';
import type { Caller, Comment, Issue, Repository } from './model.ts';
import { actorOf, NEEDS, requireRight } from './rights.ts';
import { appOf, recordInTimeline } from './timeline.ts';
import type { World } from './world.ts';

export function addComment(
  world: World,
  { caller, issue }: { readonly caller: Caller; readonly issue: Issue },
  body: string,
): Comment {
  const { repository } = issue;
  requireRight(world, { caller, repository }, NEEDS.comment);
  refuseText(world, body);
  const at = world.now();
  const comment: Comment = {
    id: world.nextId('comment'),
    issue,
    author: actorOf(caller),
    viaApp: appOf(caller),
    body,
    createdAt: at,
    updatedAt: at,
  };
  repository.comments.push(comment);
  const entry = { is: 'commented', comment } as const;
  recordInTimeline(world, issue, { caller, entry, id: comment.id });
  emitComment(world, caller, { comment, action: 'created', from: '' });
  return comment;
}

export function editComment(
  world: World,
  { caller, comment }: { readonly caller: Caller; readonly comment: Comment },
  body: string,
): void {
  requireAuthor(world, caller, comment);
  refuseText(world, body);
  const from = comment.body;
  comment.body = body;
  comment.updatedAt = world.now();
  comment.issue.updatedAt = world.now();
  emitComment(world, caller, { comment, action: 'edited', from });
}

export function deleteComment(
  world: World,
  { caller, comment }: { readonly caller: Caller; readonly comment: Comment },
): void {
  requireAuthor(world, caller, comment);
  const { comments } = comment.issue.repository;
  comments.splice(comments.indexOf(comment), 1);
  const { timeline } = comment.issue;
  const at = timeline.findIndex((entry) => entry.is === 'commented' && entry.comment === comment);
  timeline.splice(at, 1);
  comment.issue.updatedAt = world.now();
  emitComment(world, caller, { comment, action: 'deleted', from: '' });
}

export function commentNumbered({ comments }: Repository, id: number): Comment {
  const comment = comments.find((each) => each.id === id);
  if (!comment) throw new EmulatorRefused('not_found', `comment ${id}`);
  return comment;
}

export function commentsOf({ repository, number }: Issue): Comment[] {
  return repository.comments.filter(({ issue }) => issue.number === number);
}

function requireAuthor(world: World, caller: Caller, { author, issue }: Comment): void {
  const isAuthor = actorOf(caller) === author;
  const { repository } = issue;
  requireRight(world, { caller, repository }, isAuthor ? NEEDS.comment : NEEDS.editLabels);
}

function refuseText({ rules }: World, body: string): void {
  if (body.trim() === '') throw new EmulatorRefused('invalid', 'body');
  if (body.length > rules.longestComment) throw new EmulatorRefused('too_long', 'body');
}

function emitComment(
  world: World,
  caller: Caller,
  change: { comment: Comment; action: 'created' | 'edited' | 'deleted'; from: string },
): void {
  const { repository } = change.comment.issue;
  world.emit({ is: 'comment_changed', repository, sender: actorOf(caller), ...change });
}
