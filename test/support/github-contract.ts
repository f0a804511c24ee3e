import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Exchange } from '../../src/adapters/forge-emulator/http/server.ts';
import { mismatches, type Schema } from './json-schema.ts';
import { ROOT } from './tree.ts';

interface Operation {
  readonly query: readonly string[];
  readonly body?: Schema;
  readonly needsBody?: boolean;
  /** The schema of each status; null where only the status is described. */
  readonly responses: Readonly<Record<string, Schema | null>>;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Schema>>;
}

const FILE = join(ROOT, 'test/fixtures/github-openapi/api.json');

/** What GitHub's own description of its API says against a request or its answer; nothing if both are right. */
export function githubFaults(exchange: Exchange): string[] {
  const { method, path, operation: route, isInjected } = exchange;
  if (PAGES.test(path)) return [];
  const { operation, name } = operationOf(method, path);
  if (!operation) return [`${method} ${path}: GitHub describes no such operation`];
  const faults = [
    ...(route === null ? ['the emulator has no such operation'] : []),
    ...requestFaults(operation, exchange),
    ...(isInjected ? [] : answerFaults(operation, exchange)),
  ];
  return faults.map((fault) => `${name}: ${fault}`);
}

/** Not of the API: the page on which an App is confirmed, and where logs are kept. */
const PAGES = /^\/(settings|organizations\/[^/]+\/settings|logs)\//;

let known: Description | undefined;

function description(): Description {
  known ??= JSON.parse(readFileSync(FILE, 'utf8')) as Description;
  return known;
}

function operationOf(method: string, path: string) {
  const found = Object.keys(description().paths)
    .filter((template) => patternOf(template).test(path))
    .sort((a, b) => parameters(a) - parameters(b) || b.length - a.length)
    .map((template) => ({
      name: `${method} ${template}`,
      operation: description().paths[template]?.[method.toLowerCase()],
    }))
    .find(({ operation }) => operation !== undefined);
  return found ?? { name: '', operation: undefined };
}

function patternOf(template: string): RegExp {
  const source = template
    .replace(/[.+]/g, '\\$&')
    .replace(/\{(ref|path|branch|basehead)\}/g, '.+')
    .replace(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${source}$`);
}

function parameters(template: string): number {
  return template.split('{').length;
}

function requestFaults({ query, body, needsBody }: Operation, exchange: Exchange): string[] {
  const unknown = [...exchange.query.keys()].filter((key) => !query.includes(key));
  const wrong = unknown.map((key) => `there is no query parameter ${key}`);
  if (exchange.body === undefined) return needsBody ? [...wrong, 'the body is missing'] : wrong;
  if (!body) return [...wrong, 'there is a body where none is described'];
  return [
    ...wrong,
    ...unknownProperties(body, exchange.body).map((key) => `the body has an unknown ${key}`),
    ...mismatches(body, exchange.body, description() as unknown as Schema).map(
      (fault) => `request${fault}`,
    ),
  ];
}

/** GitHub ignores names that it does not know, so a wrong one would never be noticed there. */
function unknownProperties(schema: Schema, body: unknown): string[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return [];
  const names = namesIn(schema);
  return names.size === 0 ? [] : Object.keys(body).filter((key) => !names.has(key));
}

function namesIn(schema: Schema): Set<string> {
  const parts = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => (schema[key] ?? []) as Schema[]);
  const here = Object.keys((schema['properties'] ?? {}) as Schema);
  return new Set([...here, ...parts.flatMap((part) => [...namesIn(part)])]);
}

function answerFaults({ responses }: Operation, { status, answer }: Exchange): string[] {
  const schema = responses[String(status)];
  if (schema === undefined) {
    // GitHub describes these nowhere, and gives them everywhere.
    if ([301, 401, 403, 404].includes(status)) return [];
    return [`the status ${status} is not described (${Object.keys(responses)})`];
  }
  if (schema === null) return [];
  const faults = mismatches(schema, answer, description() as unknown as Schema);
  return [...new Set(faults.map((fault) => `answer${fault.replace(/\/\d+/g, '/*')}`))];
}
