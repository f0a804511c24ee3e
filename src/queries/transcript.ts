import type { TranscriptQuery } from '../api/runs.ts';
import type { RunId } from '../domain/ids.ts';
import type { Reads } from '../ports/store.ts';
import { entryView } from './views/run.ts';

export async function transcriptOf(store: Reads, run: RunId, { after, limit }: TranscriptQuery) {
  const entries = await store.log(run, after, limit + 1);
  const page = entries.slice(0, limit);
  return {
    entries: page.map(entryView),
    next: entries.length > limit ? (page.at(-1)?.n ?? null) : null,
  };
}
