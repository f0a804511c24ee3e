import { visible, visibleLines } from '../../api/escape-control-characters.ts';
import type { OperationResult } from '../../api/operation.ts';
import { formatTime } from '../format-time.ts';

type Over = OperationResult<'getThread'>['thread']['handed_over'];

/** Who has a thread now; empty while it is the agents' own. */
export function handedOver(over: Over): readonly string[] {
  if (!over) return [];
  const who = over.by === 'hall' ? 'left to a person' : `handed over to ${visible(over.by)}`;
  const why = over.because === null ? '' : `: ${visibleLines(over.because)}`;
  return [`${who} since ${formatTime(over.since)}${why}`];
}
