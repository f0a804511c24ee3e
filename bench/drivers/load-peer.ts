/**
 * A queue that we are compared with. It is loaded by a name that the compiler does not see, because the bench
 * itself installs it and types are checked on machines without it.
 */
export async function loadPeer<T>(name: string): Promise<T> {
  return (await import(name)) as T;
}
