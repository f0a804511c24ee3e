/** Runs `undo` if `doing` fails. */
export async function orElse<T>(doing: Promise<T>, undo: () => Promise<void>): Promise<T> {
  try {
    return await doing;
  } catch (error) {
    await undo();
    throw error;
  }
}
