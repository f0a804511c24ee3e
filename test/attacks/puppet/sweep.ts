import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Told, until } from '../../support/acceptance-scene.ts';
import { gitAs } from '../../support/git-scene.ts';
import { ifThere } from '../../support/if-there.ts';
import type { Stage } from './stage.ts';

/** Every place that what an agent says or makes may reach, as text. */
export async function placesOf({ scene, hall, zoo, other, model, secrets }: Stage) {
  const { events } = await scene.get('/v1/events?order=oldest&limit=1000');
  const runs: readonly string[] = [
    ...new Set<string>(events.flatMap(({ facts }: Told) => facts.run ?? [])),
  ];
  const transcripts = await Promise.all(runs.map((run) => transcriptOf({ scene }, run)));
  const spoilt = new Set(events.filter(isSpoilt).map(({ facts }: Told) => facts.run));
  await until('no work tree is left but those that could not be taken over', () =>
    runsLeft(hall.folder).every((run) => spoilt.has(run)),
  );
  const kept = filesUnder(join(hall.folder, 'data'))
    // Where they belong: the file of the operator's token, and the loot itself.
    .filter(({ text }) => !Object.values(secrets).includes(text.trim()))
    .map(({ text }) => text);
  return {
    events: JSON.stringify(events),
    board: JSON.stringify(await scene.get('/v1/board')),
    threads: JSON.stringify(await scene.get('/v1/threads')),
    decisions: JSON.stringify(await scene.get('/v1/decisions')),
    transcripts: transcripts.join('\n'),
    log: hall.output,
    data: kept.join('\n'),
    'pushed objects': objectsIn(zoo),
    'the other repository': objectsIn(other).replaceAll(secrets['other'] ?? '', ''),
    'the model': JSON.stringify(model.seen.map(({ conversation }) => conversation)),
  };
}

export async function transcriptOf({ scene }: Pick<Stage, 'scene'>, run: string): Promise<string> {
  const said: string[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page: Told = await scene.get(`/v1/runs/${run}/transcript?limit=200&after=${after}`);
    said.push(...page.entries.map(({ text }: Told) => text));
    after = page.next;
  }
  return said.join('\n');
}

/** What cannot be taken over stays where it is, for a person. */
function isSpoilt({ type, facts }: Told): boolean {
  return type === 'RunEnded' && JSON.stringify(facts).includes('could not be taken over');
}

function runsLeft(folder: string): readonly string[] {
  const runs = join(folder, 'data/worker/runs');
  const workers = readdirSync(runs, { withFileTypes: true }).filter((each) => each.isDirectory());
  return workers.flatMap(({ name }) => ifThere(() => readdirSync(join(runs, name))) ?? []);
}

function objectsIn(repository: string): string {
  const ids = gitAs(repository, 'cat-file', '--batch-all-objects', '--batch-check=%(objectname)');
  const refs = gitAs(repository, 'for-each-ref');
  return [refs, ...ids.split('\n').map((id) => gitAs(repository, 'cat-file', '-p', id))].join('\n');
}

/** Nothing is followed: a work tree that is being removed has links to everywhere. */
function filesUnder(folder: string): { readonly text: string }[] {
  const entries = ifThere(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesUnder(path);
    const bytes = entry.isFile() ? ifThere(() => readFileSync(path)) : undefined;
    return bytes === undefined
      ? []
      : [{ text: (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1') }];
  });
}
