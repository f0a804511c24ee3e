/**
 * A queue we are measured against. Loaded by a name that the compiler does not see, because it is
 * installed by the bench itself: the types are checked on machines where it is not there.
 */
export async function loadPeer<T>(name: string): Promise<T> {
  return (await import(name)) as T;
}
