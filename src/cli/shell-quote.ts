/** A path as it is typed in a shell, so that what is printed can be copied also where it has spaces. */
export function shellQuote(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
