import type { Method, Route } from '../api/route.ts';
import { type OperationId, operationIds, ROUTES } from '../api/routes.ts';

export interface Match {
  readonly operation: OperationId;
  readonly route: Route;
  /** As they appear in the path, not decoded. */
  readonly params: Readonly<Record<string, string>>;
}

type Found = Match | { readonly allow: string } | undefined;

interface Node {
  readonly literal: Map<string, Node>;
  parameter: Node | undefined;
  readonly methods: Map<
    string,
    { readonly operation: OperationId; readonly names: readonly string[] }
  >;
}

const NO_PARAMS: Readonly<Record<string, string>> = {};

/** Finds the route of a request. Paths without parameters match whole, others by segment. */
export function createRouter(): (method: string, path: string) => Found {
  const root = emptyNode();
  const whole = new Map<string, Match>();
  for (const operation of operationIds()) {
    const route: Route = ROUTES[operation];
    insert(root, operation, route);
    if (!route.path.includes('{')) {
      whole.set(`${route.method} ${route.path}`, { operation, route, params: NO_PARAMS });
    }
  }
  return (method, path) => whole.get(`${method} ${path}`) ?? walk(root, method, path);
}

function emptyNode(): Node {
  return { literal: new Map(), parameter: undefined, methods: new Map() };
}

function insert(root: Node, operation: OperationId, { method, path }: Route): void {
  let node = root;
  const names: string[] = [];
  for (const step of path.slice(1).split('/')) {
    if (step.startsWith('{')) {
      names.push(step.slice(1, -1));
      node.parameter ??= emptyNode();
      node = node.parameter;
      continue;
    }
    const next = node.literal.get(step) ?? emptyNode();
    node.literal.set(step, next);
    node = next;
  }
  node.methods.set(method, { operation, names });
}

function walk(root: Node, method: string, path: string): Found {
  if (!path.startsWith('/')) return undefined;
  const values: string[] = [];
  let node: Node | undefined = root;
  for (const step of path.slice(1).split('/', 8)) {
    const literal: Node | undefined = node.literal.get(step);
    if (!literal && step !== '') values.push(step);
    node = literal ?? (step === '' ? undefined : node.parameter);
    if (!node) return undefined;
  }
  if (node.methods.size === 0) return undefined;
  const found = node.methods.get(method as Method);
  if (!found) return { allow: allowed(node.methods.keys()) };
  const params = Object.fromEntries(found.names.map((name, at) => [name, values[at] ?? '']));
  return { operation: found.operation, route: ROUTES[found.operation], params };
}

function allowed(methods: Iterable<string>): string {
  const all = [...methods];
  return [...all, ...(all.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}
