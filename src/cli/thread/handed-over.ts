import { visible, visibleLines } from '../../api/escape-control-characters.ts';
import type { OperationResult } from '../../api/operation.ts';
import { formatTime } from '../format-time.ts';

type Handover = OperationResult<'getThread'>['thread']['handed_over'];

/** Which person has the thread; empty while the agents have it. */
export function handedOver(handover: Handover): readonly string[] {
  if (!handover) return [];
  const who =
    handover.by === 'hall' ? 'waiting for a person' : `handed over to ${visible(handover.by)}`;
  const why = handover.because === null ? '' : `: ${visibleLines(handover.because)}`;
  return [`${who} since ${formatTime(handover.since)}${why}`];
}
