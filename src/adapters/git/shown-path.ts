/** A path of an agent's tree as it may stand in a message. */
export function shownPath(path: string): string {
  return path.replace(/[\p{C}\u2028\u2029]/gu, '?').slice(0, 300);
}
