import type { Route } from './answer.ts';

interface Matched {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds the route of a request; the one with the fewest parameters comes first, then the longest. */
export function createRouter(
  routes: readonly Route[],
): (method: string, path: string) => Matched | null {
  const patterns = routes
    .map((route) => ({ route, pattern: patternOf(route.path), names: namesIn(route.path) }))
    .sort((a, b) => a.names.length - b.names.length || b.route.path.length - a.route.path.length);
  return (method, path) => {
    for (const { route, pattern, names } of patterns) {
      const match = route.method === method ? pattern.exec(path) : null;
      if (!match) continue;
      const values = names.map((name, n) => [name, decodeURIComponent(match[n + 1] ?? '')]);
      return { route, params: Object.fromEntries(values) };
    }
    return null;
  };
}

function namesIn(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

function patternOf(path: string): RegExp {
  const source = path
    .replace(/[.+]/g, '\\$&')
    .replace(/\{(ref|path|branch|basehead)\}/g, '(.+)')
    .replace(/\{\w+\}/g, '([^/]+)');
  return new RegExp(`^${source}$`);
}
