import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { gitAs } from '../../support/git-fixture.ts';
import { type Json, until } from '../../support/hall-fixture.ts';
import { ifExists } from '../../support/if-exists.ts';
import type { AttackFixture } from './fixture.ts';

/** Every place that the output or work of an agent may reach, as text. */
export async function placesOf({ fixture, hall, zoo, other, model, secrets }: AttackFixture) {
  const { events } = await fixture.get('/v1/events?order=oldest&limit=1000');
  const runs: readonly string[] = [
    ...new Set<string>(events.flatMap(({ facts }: Json) => facts.run ?? [])),
  ];
  const transcripts = await Promise.all(runs.map((run) => transcriptOf({ fixture }, run)));
  const unusable = new Set(events.filter(isUnusable).map(({ facts }: Json) => facts.run));
  await until('no work tree is left but those that could not be harvested', () =>
    runsLeft(hall.folder).every((run) => unusable.has(run)),
  );
  const files = filesUnder(join(hall.folder, 'data'))
    // Where they belong: the file of the operator's token, and the loot itself.
    .filter(({ text }) => !Object.values(secrets).includes(text.trim()))
    .map(({ text }) => text);
  return {
    events: JSON.stringify(events),
    board: JSON.stringify(await fixture.get('/v1/board')),
    threads: JSON.stringify(await fixture.get('/v1/threads')),
    decisions: JSON.stringify(await fixture.get('/v1/decisions')),
    transcripts: transcripts.join('\n'),
    log: hall.output,
    data: files.join('\n'),
    'pushed objects': objectsIn(zoo),
    'the other repository': objectsIn(other).replaceAll(secrets['other'] ?? '', ''),
    'the model': JSON.stringify(model.requests.map(({ conversation }) => conversation)),
  };
}

export async function transcriptOf(
  { fixture }: Pick<AttackFixture, 'fixture'>,
  run: string,
): Promise<string> {
  const entries: string[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page: Json = await fixture.get(`/v1/runs/${run}/transcript?limit=200&after=${after}`);
    entries.push(...page.entries.map(({ text }: Json) => text));
    after = page.next;
  }
  return entries.join('\n');
}

/** Unusable work stays in place for a person. */
function isUnusable({ type, facts }: Json): boolean {
  return (
    type === 'RunEnded' && JSON.stringify(facts).includes('could not be collected from the cell')
  );
}

function runsLeft(folder: string): readonly string[] {
  const runs = join(folder, 'data/worker/runs');
  const workers = readdirSync(runs, { withFileTypes: true }).filter((each) => each.isDirectory());
  return workers.flatMap(({ name }) => ifExists(() => readdirSync(join(runs, name))) ?? []);
}

function objectsIn(repository: string): string {
  const ids = gitAs(repository, 'cat-file', '--batch-all-objects', '--batch-check=%(objectname)');
  const refs = gitAs(repository, 'for-each-ref');
  return [refs, ...ids.split('\n').map((id) => gitAs(repository, 'cat-file', '-p', id))].join('\n');
}

/** Nothing is followed: a work tree that is being removed has links to everywhere. */
function filesUnder(folder: string): { readonly text: string }[] {
  const entries = ifExists(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesUnder(path);
    const bytes = entry.isFile() ? ifExists(() => readFileSync(path)) : undefined;
    return bytes === undefined
      ? []
      : [{ text: (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1') }];
  });
}
