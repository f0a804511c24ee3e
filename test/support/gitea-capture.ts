import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlayedStory } from './emulated-gitea-story.ts';
import type { RecordedCall } from './gitea-story.ts';
import { shapeDifferences } from './same-shape.ts';
import { ROOT } from './tree.ts';

/** A delivery as it is kept: its name, its finer type, the names of its headers and its body. */
export interface CapturedDelivery {
  readonly name: string;
  readonly type: string;
  readonly headers: readonly string[];
  readonly body: unknown;
}

export interface Capture {
  readonly calls: readonly RecordedCall[];
  readonly deliveries: readonly CapturedDelivery[];
}

export const CAPTURE_FILE: string = join(ROOT, 'test/fixtures/gitea-1.26.4/story.json');

/** What a real Gitea said when the story was played on it. */
export function readCapture(): Capture {
  const { users, repositories, ...story } = JSON.parse(readFileSync(CAPTURE_FILE, 'utf8'));
  const expanded = (part: unknown): unknown =>
    JSON.parse(JSON.stringify(part), (_, value) => {
      if (value?.$user !== undefined) return users[value.$user];
      return value?.$repository === undefined ? value : expanded(repositories[value.$repository]);
    });
  return expanded(story) as Capture;
}

export function captureOf({ calls, deliveries }: PlayedStory): Capture {
  return {
    calls,
    deliveries: deliveries.map(({ name, headers, body }) => ({
      name,
      type: String(headers['x-gitea-event-type']),
      headers: Object.keys(headers).filter((header) => header.startsWith('x-')),
      body,
    })),
  };
}

/** Where two captures of the story differ: statuses, refusals, fields, and what hooks were sent. */
export function captureDifferences(expected: Capture, found: Capture): string[] {
  return [
    ...expected.calls.flatMap((call, n) => callDifferences(call, found.calls[n])),
    ...deliveryDifferences(expected.deliveries, found.deliveries),
  ];
}

function callDifferences(expected: RecordedCall, found: RecordedCall | undefined): string[] {
  const { name, status, answer } = expected;
  if (found?.name !== name) return [`${name}: ${found?.name} was called instead`];
  const shape = shapeDifferences(answer, found.answer).map((fault) => `${name}: ${fault}`);
  return found.status === status ? shape : [`${name}: ${found.status}, not ${status}`, ...shape];
}

/** How often the same thing is sent depends on the speed of the runner; that it is sent does not. */
function deliveryDifferences(
  expected: readonly CapturedDelivery[],
  found: readonly CapturedDelivery[],
): string[] {
  const kinds = new Set([...expected, ...found].map(kindOf));
  return [...kinds].flatMap((kind) => {
    const a = expected.find((each) => kindOf(each) === kind);
    const b = found.find((each) => kindOf(each) === kind);
    if (!a || !b) return [`${kind}: ${a ? 'is not sent' : 'is invented'}`];
    const headers = a.headers.filter((name) => !b.headers.includes(name));
    return [
      ...headers.map((name) => `${kind}: lacks the header ${name}`),
      ...shapeDifferences(a.body, b.body).map((fault) => `${kind}: ${fault}`),
    ];
  });
}

/** What is sent: event, action, type, and which field was edited. */
export function kindOf({ name, type, body }: CapturedDelivery): string {
  const { changes } = body as { readonly changes?: object };
  const edited = Object.keys(changes ?? {}).filter((key) => !key.endsWith('_labels'));
  return [name, type, ...edited].join(' ');
}
