/** What a look at the disk finds, or undefined: halls and workers remove things while a test looks at them. */
export function ifExists<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
