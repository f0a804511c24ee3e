import type { OperationResult } from '../../api/operation.ts';
import { visible, visibleLines } from '../../api/visible.ts';
import { formatTime } from '../format-time.ts';

type Over = OperationResult<'getThread'>['thread']['handed_over'];

/** Which person has the thread; empty while the agents have it. */
export function handedOver(over: Over): readonly string[] {
  if (!over) return [];
  const who = over.by === 'hall' ? 'waiting for a person' : `handed over to ${visible(over.by)}`;
  const why = over.because === null ? '' : `: ${visibleLines(over.because)}`;
  return [`${who} since ${formatTime(over.since)}${why}`];
}
