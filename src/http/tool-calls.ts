import { createHash, randomBytes } from 'node:crypto';
import type { Hall } from '../board/hall.ts';
import { nameOf } from '../domain/ids.ts';
import type { Lease } from '../domain/lease.ts';
import { requestToolCall, type ToolAnswer, type ToolCall } from '../domain/tool-gate.ts';
import { commandTree } from '../domain/tool-policy/command-tree.ts';
import type { Shell } from '../ports/shell.ts';
import { decisionId, type ToolDecision } from '../ports/store.ts';
import { type ChangeContext, changeBoard } from './board-access.ts';
import type { RequestContext } from './request-context.ts';

type Body = RequestContext<'callTool'>['body'];

interface Needs {
  readonly hall: Hall;
  readonly shell: Shell;
  /** Removes secrets from a command. */
  readonly redact: (text: string) => string;
}

/** Too long for a person to read; of a longer command the log keeps the beginning. */
const MAX_LOGGED = 20_000;

/** Judges tool calls. The command is parsed before its turn on the board and judged during it. */
export function createToolCalls({ hall, shell, redact }: Needs) {
  const excerpt = (text: string) => redactedExcerpt(text, redact);
  return (context: ChangeContext, lease: Lease, body: Body) => {
    const started = hall.clock.monotonic();
    const call = callOf(
      body,
      { hash: hashOf(lease, body), reading: shell.read(body.command) },
      excerpt,
    );
    return changeBoard(hall, context, {
      decide: (board, now) => requestToolCall(board, lease, call, now),
      decided: (answer, { at }) => {
        const run = hall.board.runs.get(lease.run);
        if (!run) return [];
        const took = Math.round((hall.clock.monotonic() - started) * 1_000) / 1_000;
        const id = decisionId(at, randomBytes(8).toString('hex'));
        const { task, project } = run;
        return [{ ...logged(call, answer, excerpt), id, at, run: run.id, task, project, took }];
      },
      reply: (answer) => ({ status: 200, body: answerView(answer, excerpt) }),
    });
  };
}

type Excerpt = (text: string) => string;

function callOf(
  { tool, command, cwd, worktree, links }: Body,
  { hash, reading }: Pick<ToolCall, 'hash' | 'reading'>,
  excerpt: Excerpt,
): ToolCall {
  return {
    tool,
    command,
    reading,
    at: { cwd, worktree, links: new Map(Object.entries(links)) },
    hash,
    shown: { command: excerpt(command), tree: commandTree(reading).map(excerpt) },
    nonce: randomBytes(12).toString('base64url'),
  };
}

/** An approval covers exactly this: a different folder, run or script content is another call. */
function hashOf({ run, fence }: Lease, { tool, command, cwd, worktree, links, scripts }: Body) {
  const sorted = (record: Readonly<Record<string, string>>) =>
    Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
  const covered = [run, fence, tool, command, cwd, worktree, sorted(links), sorted(scripts)];
  return createHash('sha256').update(JSON.stringify(covered)).digest('hex');
}

/** Redacts secrets before cutting, or half of one could remain. */
function redactedExcerpt(text: string, redact: Needs['redact']): string {
  const safe = redact(text).replaceAll('\0', '\u2400').toWellFormed();
  if (safe.length <= MAX_LOGGED) return safe;
  return `${safe.slice(0, MAX_LOGGED).toWellFormed()}… (${safe.length} characters)`;
}

function logged(
  { tool, shown, at: { cwd } }: ToolCall,
  { verdict, by, rule, because, approval }: ToolAnswer,
  excerpt: Excerpt,
): Omit<ToolDecision, 'id' | 'at' | 'run' | 'task' | 'project' | 'took'> {
  const { command } = shown;
  return {
    verdict,
    by,
    tool,
    command,
    cwd,
    rule,
    because: excerpt(because),
    actor: null,
    approval,
  };
}

function answerView({ verdict, because, rule, part, approval }: ToolAnswer, excerpt: Excerpt) {
  return {
    verdict,
    because: excerpt(part === null ? because : `${part}: ${because}`),
    rule,
    part: part === null ? null : excerpt(part),
    approval: approval === null ? null : nameOf('approval', approval),
  };
}
