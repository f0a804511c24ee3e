import type { ReviewComment } from '../../domain/forge/snapshot.ts';

/** A comment on a line, in the text of a review. */
export function asText({ path, line, body }: ReviewComment): string {
  return `\`${path}${line === null ? '' : `:${line}`}\`: ${body}`;
}
