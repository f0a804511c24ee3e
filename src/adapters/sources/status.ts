/** A status as it is compared: `In-Progress ✅` is `in progress`. */
export function normalStatus(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

const DONE = [
  'done',
  'complete',
  'completed',
  'implemented',
  'finished',
  'closed',
  'merged',
  'shipped',
];

export function isDoneStatus(text: string): boolean {
  return DONE.includes(normalStatus(text));
}
