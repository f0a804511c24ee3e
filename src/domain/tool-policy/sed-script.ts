/** A pattern up to its mark. A mark in brackets is not read, because versions of sed differ there. */
function patternUpTo(mark: string): string {
  const bracket = String.raw`\[\^?\]?(?:\[[:.=]\w+[:.=]\]|(?!${mark})[^\]\\]|\\(?!${mark})[^\]])*\]`;
  return String.raw`(?:\\[^]|${bracket}|(?!${mark})[^\\[])*`;
}

const ADDRESS = sticky(String.raw`(?:/${patternUpTo('/')}/[IM]*|[\d$+~]*)`);
/** Commands that print, change or delete lines, with nothing but a number behind them. */
const PLAIN = sticky(String.raw`[pdqDPnNgGhHx=lzF][\d ]*(?=[;}\n]|$)`);
/** The text of these ends with the first line that does not end in a lone backslash. */
const TEXT = sticky(String.raw`[aic](?:\\[^]|[^\\\n])*`);
const COMMENT = sticky('#[^\n]*');

function sticky(source: string): RegExp {
  return new RegExp(source, 'y');
}

/** Whether a sed script has only commands that run nothing and write no file. */
export function isPlainSed(script: string): boolean {
  let at = 0;
  while (at < script.length) {
    at = past(script, at, /[\s;{}]*/y);
    if (at >= script.length) return true;
    at = past(script, at, ADDRESS);
    while (script[at] === ',') at = past(script, at + 1, ADDRESS);
    const command = past(script, at, /[\s!]*/y);
    const isSubstitute = /[sy]/.test(script[command] ?? '');
    const forms = isSubstitute ? [substitute(script[command + 1])] : [PLAIN, TEXT, COMMENT];
    at = Math.max(...forms.map((form) => past(script, command, form)));
    if (at === command) return false;
  }
  return true;
}

/** `s/a/b/` or `y/a/b/` with any mark, and flags that only change lines. */
function substitute(mark = ''): RegExp {
  if (mark === '' || /[\\\n[]/.test(mark)) return sticky('(?!)');
  const end = mark.replace(/[^\w]/, '\\$&');
  const replacement = String.raw`(?:\\[^]|(?!${end})[^\\])*`;
  return sticky(`[sy]${end}${patternUpTo(end)}${end}${replacement}${end}[gpiIm0-9]* *(?=[;}\n]|$)`);
}

/** The position after a form that begins here; the same position when it does not. */
function past(script: string, at: number, form: RegExp): number {
  form.lastIndex = at;
  return form.test(script) ? form.lastIndex : at;
}
