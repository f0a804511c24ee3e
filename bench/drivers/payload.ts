/** The payload of every queue: a title and about as much text as a short issue. */
export interface Payload {
  readonly title: string;
  readonly body: string;
}

const BODY =
  'The total at the end of the page does not change when a line is removed from the basket. ' +
  'Add a line, remove it again and look at the total: it should be what it was before. ' +
  'There is a test for adding; one for removing is missing.';

export function payload(n: number): Payload {
  return { title: `Total is stale after removing line ${n}`, body: BODY };
}

export function payloads(from: number, count: number): readonly Payload[] {
  return Array.from({ length: count }, (_, at) => payload(from + at));
}
