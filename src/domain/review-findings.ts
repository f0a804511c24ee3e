/** One point of a review at a place in the code. */
export interface Finding {
  readonly path: string;
  readonly line: number | null;
  readonly text: string;
}

const PLACE =
  /^(?:[-*]\s+|\d+[.)]\s+)?[`*]*([\w@./-]+\.\w+)(?::(\d+))?(?:-\d+)?[`*]*\s*[:,\u2013\u2014-]?\s+/;
const MAX_FINDINGS = 50;
const MAX_TEXT = 2_000;

/** The points of a review that begin with a file, as its skill asks for: one paragraph each. */
export function findingsIn(review: string): readonly Finding[] {
  return paragraphsOf(review)
    .flatMap((text) => {
      const [place, path, line] = PLACE.exec(text) ?? [];
      if (place === undefined || path === undefined) return [];
      const said = text.slice(place.length).trim().slice(0, MAX_TEXT);
      return [{ path, line: line === undefined ? null : Number(line), text: said }];
    })
    .slice(0, MAX_FINDINGS);
}

/** The rest of a review: what is about no place in particular. */
export function withoutFindings(review: string): string {
  return paragraphsOf(review)
    .filter((text) => !PLACE.test(text))
    .join('\n\n');
}

/** The findings that an earlier review of the same agent had too: the same file, nearly the same words. */
export function repeatedFindings(
  findings: readonly Finding[],
  before: readonly Finding[],
): readonly Finding[] {
  return findings.filter(({ path, text }) =>
    before.some((other) => other.path === path && areAlike(other.text, text)),
  );
}

/** Lines move and wordings vary, so most of the words have to be the same. */
function areAlike(one: string, other: string): boolean {
  const [a, b] = [wordsIn(one), wordsIn(other)];
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared > 0 && shared / Math.max(a.size, b.size) >= 0.6;
}

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[a-z_]{3,}/g) ?? []);
}

function paragraphsOf(text: string): readonly string[] {
  return text.split(/\n\s*\n|\n(?=[-*]\s|\d+[.)]\s)/).map((each) => each.trim());
}
