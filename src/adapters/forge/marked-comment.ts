/** A comment as far as it matters here. */
interface Existing {
  readonly id: number;
  readonly body: string;
  readonly author: number;
}

interface Comments {
  list(): Promise<readonly Existing[]>;
  create(text: string): Promise<number>;
  /** False when it no longer exists. */
  edit(id: number, text: string): Promise<boolean>;
  remove(id: number): Promise<void>;
}

interface MarkedComment {
  readonly marker: string;
  readonly text: string;
  readonly id: number | null;
  /** The hall's own account: a marker that someone else wrote means nothing. */
  readonly own: number;
}

/**
 * There is one comment with the marker, and it has this text. The oldest is kept and later copies are
 * deleted: two nodes or a lost answer can make a second one.
 */
export async function ensureMarkedComment(
  comments: Comments,
  { marker, text, id, own }: MarkedComment,
): Promise<number> {
  if (id !== null && (await comments.edit(id, text))) return id;
  const all = await comments.list();
  const marked = all.filter(({ body, author }) => author === own && body.startsWith(marker));
  const [first, ...copies] = marked.toSorted((a, b) => a.id - b.id);
  for (const copy of copies) await comments.remove(copy.id);
  if (!first) return await comments.create(text);
  if (first.body !== text) await comments.edit(first.id, text);
  return first.id;
}
