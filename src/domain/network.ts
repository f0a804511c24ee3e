/** The hosts that a run may reach: those that its project and its agent type both allow. */
export function reachableHosts(
  project: readonly string[],
  type: readonly string[] | null,
): readonly string[] {
  if (type === null) return project;
  const both = project.flatMap((one) => type.flatMap((other) => overlap(one, other) ?? []));
  return [...new Set(both)];
}

/** The narrower of two entries such as `*.example.org` and `a.example.org:443`; undefined if they share no host. */
function overlap(one: string, other: string): string | undefined {
  const [a, b] = [split(one), split(other)];
  if (a.port !== b.port) return undefined;
  if (covers(a.host, b.host)) return spell(b);
  return covers(b.host, a.host) ? spell(a) : undefined;
}

/** Must agree with the proxy of the cell about what an entry means. */
const DEFAULT_PORT = '443';

interface Entry {
  readonly host: string;
  readonly port: string;
}

function split(entry: string): Entry {
  const [host = '', port = DEFAULT_PORT] = entry.split(':');
  return { host, port: String(Number(port)) };
}

function spell({ host, port }: Entry): string {
  return port === DEFAULT_PORT ? host : `${host}:${port}`;
}

/** `*.example.org` covers every name below example.org, and patterns below it too. */
function covers(pattern: string, host: string): boolean {
  return pattern === host || (pattern.startsWith('*.') && host.endsWith(pattern.slice(1)));
}
