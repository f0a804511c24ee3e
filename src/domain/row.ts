import type { Approval } from './approval.ts';
import type { BaseResult } from './checking/base-results.ts';
import type { ConnectedForge } from './forge/connected-forges.ts';
import type { IssueRecord } from './forge/issue-record.ts';
import type { RequestedLook } from './forge/look.ts';
import type { Reply } from './forge/reply.ts';
import type { Hall } from './hall.ts';
import type { RunId, TaskId, ThreadId, WorkerId } from './ids.ts';
import type { Persona } from './persona.ts';
import type { AgentType, Instance } from './pool.ts';
import type { Project, Tally } from './project.ts';
import type { Invoker } from './quota.ts';
import type { Run } from './run.ts';
import type { EncryptedSecret } from './secret.ts';
import type { ItemRecord, SourceRecord } from './sources/item.ts';
import type { Task } from './task.ts';
import type { Thread } from './thread.ts';
import type { Token } from './token.ts';
import type { Rule } from './tool-policy/rule.ts';
import type { Worker } from './worker.ts';

/** The table rows after an event. A null row is deleted. */
export type Row =
  | { readonly table: 'hall'; readonly key: 'hall'; readonly row: Hall }
  | { readonly table: 'project'; readonly key: string; readonly row: Project | null }
  | { readonly table: 'forge'; readonly key: string; readonly row: ConnectedForge | null }
  | { readonly table: 'issue'; readonly key: string; readonly row: IssueRecord | null }
  | { readonly table: 'look'; readonly key: string; readonly row: RequestedLook | null }
  | { readonly table: 'cursor'; readonly key: string; readonly row: string }
  | { readonly table: 'reply'; readonly key: string; readonly row: Reply | null }
  | { readonly table: 'source'; readonly key: string; readonly row: SourceRecord | null }
  | { readonly table: 'item'; readonly key: string; readonly row: ItemRecord | null }
  | { readonly table: 'tally'; readonly key: string; readonly row: Tally }
  | {
      readonly table: 'base_checks';
      readonly key: string;
      readonly row: readonly BaseResult[] | null;
    }
  | { readonly table: 'type'; readonly key: string; readonly row: AgentType | null }
  | { readonly table: 'persona'; readonly key: string; readonly row: Persona | null }
  | { readonly table: 'instance'; readonly key: string; readonly row: Instance | null }
  | { readonly table: 'invoker'; readonly key: string; readonly row: Invoker | null }
  | { readonly table: 'token'; readonly key: string; readonly row: Token | null }
  | { readonly table: 'secret'; readonly key: string; readonly row: EncryptedSecret | null }
  | { readonly table: 'rule'; readonly key: string; readonly row: Rule | null }
  | { readonly table: 'approval'; readonly key: string; readonly row: Approval | null }
  | { readonly table: 'worker'; readonly key: WorkerId; readonly row: Worker }
  | {
      readonly table: 'thread';
      readonly key: ThreadId;
      readonly row: Thread;
      readonly text?: ThreadText;
    }
  | { readonly table: 'task'; readonly key: TaskId; readonly row: Task; readonly text?: TaskText }
  | { readonly table: 'run'; readonly key: RunId; readonly row: Run }
  | { readonly table: 'note'; readonly key: number; readonly row: Note };

export type Table = Row['table'];

/** Texts are written and read with a row, but are not in the memory that claims use. */
interface ThreadText {
  readonly title: string;
}
interface TaskText {
  readonly title?: string;
  readonly body?: string;
}

export const NOTE_KINDS = [
  'note',
  'question',
  'answer',
  'review',
  'checks',
  'base_checks',
  'conflict',
] as const;

/** A message on the board: an agent's note to other agents, a person's answer, a review. */
export interface Note {
  readonly seq: number;
  readonly thread: ThreadId;
  readonly task: TaskId;
  readonly run: RunId | null;
  readonly by: string;
  readonly at: number;
  readonly kind: (typeof NOTE_KINDS)[number];
  readonly text: string;
}

/** Later rows replace earlier ones with the same key, but keep their texts. */
export function mergeRows(rows: readonly Row[]): readonly Row[] {
  const merged = new Map<string, Row>();
  for (const row of rows) {
    const key = `${row.table} ${row.key}`;
    merged.set(key, mergeRow(merged.get(key), row));
  }
  return [...merged.values()];
}

export function mergeRow(before: Row | undefined, row: Row): Row {
  if (row.table === 'task' && before?.table === 'task' && before.text) {
    return { ...row, text: { ...before.text, ...row.text } };
  }
  if (row.table === 'thread' && before?.table === 'thread' && before.text) {
    return { ...row, text: row.text ?? before.text };
  }
  return row;
}
