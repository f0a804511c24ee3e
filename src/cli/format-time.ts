/** `2026-03-01 12:00:05Z`: short, sortable, and the same wherever it is read. */
export function formatTime(time: string | null | undefined): string {
  if (!time) return '–';
  return time.replace('T', ' ').replace(/\.\d+Z$/, 'Z');
}
