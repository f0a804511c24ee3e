/** Characters that are invisible, or that bash and people read differently. Tabs and line ends are neither. */
const HIDDEN = /(?![\t\n ])[\p{Cc}\p{Cf}\p{Zs}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}]/u;

/** The name of the first such character, or undefined when there is none. */
export function hiddenCharacterIn(text: string): string | undefined {
  const [found] = HIDDEN.exec(text) ?? [];
  if (found === undefined) return undefined;
  const code = found.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
