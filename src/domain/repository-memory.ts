/** The file where agents leave notes for the next agent in the repository. */
export const MEMORY_FILE = '.hall-local.md';

/** A larger file is not used as memory. */
export const MAX_MEMORY = 256 * 1024;

const MAX_OFFERED = 16_000;
const MAX_ADDED = 4_000;

/** The text for the prompt: all of it, or as many of the newest sections as fit. */
export function memoryForPrompt(text: string): string {
  if (text.length <= MAX_OFFERED) return text;
  const sections = text.split(/^(?=## )/m);
  let offered = '';
  for (const section of sections.toReversed()) {
    if (offered.length + section.length > MAX_OFFERED) break;
    offered = `${section}${offered}`;
  }
  return `(older sections are omitted; see the file)\n\n${offered}`;
}

/** The error in an edit: agents append sections and leave the earlier text unchanged. */
export function memoryEditFault(before: string | null, after: string | null): string | null {
  if (after === null) return 'it was removed, is not a regular file, or is larger than 256 KiB';
  const kept = (before ?? '').trimEnd();
  const added = after.slice(kept.length);
  if (!after.startsWith(kept) || (kept !== '' && /^[^\r\n]/.test(added))) {
    return 'existing text was changed; only add a section at the end';
  }
  const section = added.trim();
  // Blank lines count: enough of them would push everything else out of the prompt.
  if (added.length > MAX_ADDED) {
    return `${added.length} characters were added; at most ${MAX_ADDED} are allowed`;
  }
  if (section !== '' && !(kept === '' ? /^##? / : /^## /).test(section)) {
    return 'the added text does not begin with a heading such as "## How the tests are run"';
  }
  return null;
}
