/**
 * The server keeps a plan for each named statement and connection, so the number of names is limited.
 * Later statements, of rare shapes, are planned each time.
 */
const MAX_NAMES = 200;

/** Names statements by their text; an empty name means unnamed. */
export function createNames(kind: string): (text: string) => string {
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (names.size === MAX_NAMES) return '';
    const name = `${kind}_${names.size}`;
    names.set(text, name);
    return name;
  };
}
