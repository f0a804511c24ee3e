/** Commands of sed that print, change or delete lines. */
const ALONE = /[pdqDPnNgGhHx=lzF]/;
const SUBSTITUTE_FLAGS = /[gpiIm0-9]/;

/** Whether a sed script has only commands that run nothing and write no file. */
export function isPlainSed(script: string): boolean {
  let at = 0;
  while (at < script.length) {
    at = past(script, at, /[\s;{}]/);
    if (at >= script.length) return true;
    const after = pastCommand(script, pastAddress(script, at));
    if (after < 0) return false;
    at = after;
  }
  return true;
}

function past(script: string, from: number, chars: RegExp): number {
  let at = from;
  while (at < script.length && chars.test(script[at] as string)) at += 1;
  return at;
}

/** `3`, `$`, `/text/`, or two of them separated by a comma. */
function pastAddress(script: string, from: number): number {
  let at = from;
  for (;;) {
    if (script[at] === '/') at = past(script, pastPattern(script, at + 1, '/'), /[IM]/);
    else at = past(script, at, /[\d$+~]/);
    if (script[at] !== ',') return past(script, at, /[\s!]/);
    at += 1;
  }
}

/** The position after the closing delimiter; past the end of the script when there is none. */
function pastMark(script: string, from: number, mark: string): number {
  for (let at = from; at < script.length; at += 1) {
    if (script[at] === '\\') at += 1;
    else if (script[at] === mark) return at + 1;
  }
  return script.length + 1;
}

/** As `pastMark`; nothing is certain where a bracket is open, because versions of sed differ there. */
function pastPattern(script: string, from: number, mark: string): number {
  const end = pastMark(script, from, mark);
  return isBalanced(script.slice(from, end - 1)) ? end : script.length + 1;
}

/** Each bracket expression of a pattern ends within it. */
function isBalanced(pattern: string): boolean {
  const plain = pattern.replace(/\\./gs, '').replace(/\[\^?\]?(\[[:.=]\w+[:.=]\]|[^\]])*\]/g, '');
  return !plain.includes('[');
}

/** The position after the command, or -1 when it may do more than change lines. */
function pastCommand(script: string, at: number): number {
  const char = script[at];
  if (char === undefined) return -1;
  if (char === 's' || char === 'y') return pastSubstitute(script, at);
  if (char === 'a' || char === 'i' || char === 'c') return pastText(script, at);
  if (char === '#') return past(script, at, /[^\n]/);
  if (!ALONE.test(char)) return -1;
  const end = past(script, at + 1, /[\d ]/);
  return end >= script.length || /[;}\n]/.test(script[end] as string) ? end : -1;
}

function pastSubstitute(script: string, at: number): number {
  const mark = script[at + 1];
  if (mark === undefined || mark === '\\' || mark === '\n') return -1;
  const middle = pastPattern(script, at + 2, mark);
  const end = pastMark(script, middle, mark);
  if (end > script.length) return -1;
  const after = past(script, past(script, end, SUBSTITUTE_FLAGS), / /);
  return after >= script.length || /[;}\n]/.test(script[after] as string) ? after : -1;
}

/** The text of `a`, `i` and `c` ends with the first line that does not end in a lone backslash. */
function pastText(script: string, from: number): number {
  for (let at = from; at < script.length; at += 1) {
    if (script[at] === '\\') at += 1;
    else if (script[at] === '\n') return at;
  }
  return script.length;
}
