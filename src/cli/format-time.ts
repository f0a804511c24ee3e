/** `2026-03-01 12:00:05Z`: short, sortable, and the same wherever it is read. */
export function formatTime(time: string | null | undefined): string {
  if (!time) return '–';
  return time.replace('T', ' ').replace(/\.\d+Z$/, 'Z');
}

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
] as const;

/** `5m ago`: how long before `now`, in its largest unit. */
export function formatAge(time: string, now: string): string {
  const seconds = Math.max(0, Math.floor((Date.parse(now) - Date.parse(time)) / 1000));
  const [unit, size] = UNITS.find(([, each]) => seconds >= each) ?? ['s', 1];
  return `${Math.floor(seconds / size)}${unit} ago`;
}
