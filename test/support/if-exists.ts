/**
 * The result of reading from the disk, or undefined: halls and workers remove files while a test reads them.
 */
export function ifExists<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
