import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { CAPTURE_FILE, type Capture, captureOf, kindOf } from '../gitea-capture.ts';
import { playOnRealGitea } from './play-story.ts';
import { builtGitea } from './programs.ts';

/** One delivery of each kind; accounts and repositories are in nearly every answer, so each is kept once too. */
function shortened({ calls, deliveries }: Capture): string {
  const kinds = Map.groupBy(deliveries, kindOf).values();
  const firsts = [...kinds].flatMap(([first]) => (first ? [first] : []));
  const users: Record<string, unknown> = {};
  const repositories: Record<string, unknown> = {};
  const short = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(short);
    if (typeof value === 'string') return value.replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:3000');
    if (typeof value !== 'object' || value === null) return value;
    const whole = Object.fromEntries(
      Object.entries(value).map(([key, part]) => [key, short(part)]),
    );
    if ('login_name' in whole) return keptOnce(users, '$user', String(whole['login']), whole);
    if (!('languages_url' in whole)) return whole;
    return keptOnce(repositories, '$repository', String(whole['full_name']), whole);
  };
  const lines = (parts: readonly unknown[]) =>
    parts.map((part) => JSON.stringify(short(part))).join(',\n');
  const story = `"calls":[\n${lines(calls)}\n],"deliveries":[\n${lines(firsts)}\n]`;
  const once = `"users":${JSON.stringify(users)},\n"repositories":${JSON.stringify(repositories)}`;
  return `{${story},\n${once}}\n`;
}

function keptOnce(all: Record<string, unknown>, mark: string, name: string, whole: unknown) {
  all[name] ??= whole;
  return { [mark]: name };
}

if (import.meta.main) {
  const built = builtGitea();
  if ('missing' in built) throw new Error(`there is no Gitea: ${built.missing}`);
  const capture = captureOf(await playOnRealGitea(built.folder));
  mkdirSync(dirname(CAPTURE_FILE), { recursive: true });
  writeFileSync(CAPTURE_FILE, shortened(capture));
  process.stdout.write(
    `${CAPTURE_FILE}: ${capture.calls.length} calls, ${capture.deliveries.length} deliveries\n`,
  );
}
