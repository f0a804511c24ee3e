/**
 * The server keeps a plan for each named statement and connection, so only so many get a name. What
 * comes later, in a shape that is rare, is planned each time.
 */
const MAX_NAMES = 200;

/** Names statements by their text; the empty name is none. */
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
