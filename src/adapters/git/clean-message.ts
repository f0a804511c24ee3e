/** Trailers that speak for a person: only the host says who wrote and reviewed a commit. */
const CLAIMS =
  /^(co-authored-by|signed-off-by|reviewed-by|acked-by|tested-by|approved-by|committed-by|helped-by|reported-by|on-behalf-of)\s*:/i;

/** Markers that make a forge skip its checks. */
const SKIPS =
  /\[(skip ci|ci skip|no ci|skip actions|actions skip|skip-ci|ci-skip)\]|\*\*\*NO_CI\*\*\*|^skip-checks\s*:.*$/gim;

const LONGEST = 20_000;

/** An agent's message cleaned for the history, with the host's trailers at its end. */
export function cleanMessage(message: string, trailers: readonly string[]): string {
  const text = message
    .replace(/\r\n?/g, '\n')
    .replace(/\t/g, '  ')
    .replace(/[^\P{C}\n]/gu, '')
    .replace(/[\u2028\u2029]/g, ' ')
    .replace(SKIPS, '')
    .slice(0, LONGEST)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => !CLAIMS.test(line))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  const body = text === '' ? 'Commit without a message' : text;
  return trailers.length === 0 ? `${body}\n` : `${body}\n\n${trailers.join('\n')}\n`;
}
