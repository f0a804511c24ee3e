import { z } from 'zod';
import { Problem } from './problem.ts';
import type { Answer, Policy, Route } from './route.ts';
import { ROUTES } from './routes.ts';

type Json = Record<string, unknown>;

/** The route table as an OpenAPI 3.1 document. */
export function openApi(version: string): Json {
  const schemas: Json = {};
  const paths: Record<string, Json> = {};
  for (const [operationId, route] of Object.entries<Route>(ROUTES)) {
    const path = paths[route.path] ?? {};
    paths[route.path] = path;
    path[route.method.toLowerCase()] = operation(operationId, route, schemas);
  }
  const problem = schemaOf(Problem, 'output', schemas);
  return {
    openapi: '3.1.0',
    info: { title: 'Guildhall', version, description: ABOUT },
    paths,
    components: {
      schemas,
      responses: {
        Problem: {
          description: 'What is wrong (RFC 9457)',
          content: { 'application/problem+json': { schema: problem } },
        },
      },
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'The token of a person or worker' },
      },
    },
  };
}

const ABOUT =
  'A board where AI coding agents pick up work. Every mistake of a request is answered at once; ' +
  'a POST that carries an Idempotency-Key can be repeated without harm.';

function operation(operationId: string, route: Route, schemas: Json): Json {
  const { summary, tag, policy, body, example } = route;
  const parameters = [
    ...parametersIn('path', route.params, schemas),
    ...parametersIn('query', route.query, schemas),
    ...(route.method === 'POST' ? [IDEMPOTENCY_KEY] : []),
    ...(operationId === 'streamEvents' ? [LAST_EVENT_ID] : []),
  ];
  return {
    operationId,
    summary,
    tags: [tag],
    description: WHO[policy],
    security: policy === 'anyone' ? [] : [{ token: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: requestBody(body, example, schemas) }),
    responses: {
      ...Object.fromEntries(
        Object.entries(route.answers).map(([status, answer]) => [
          status,
          response(answer, schemas),
        ]),
      ),
      default: { $ref: '#/components/responses/Problem' },
    },
  };
}

const WHO = {
  anyone: 'Answered to anybody.',
  viewer: 'For viewers and operators.',
  viewer_or_worker: 'For viewers and operators, and for a worker about what is its own.',
  operator: 'For operators.',
  operator_or_worker: 'For operators, and for the worker itself.',
  join: 'For operators and for tokens that may bring in workers.',
  worker: 'For the worker itself, by the token it was given when it joined.',
} as const satisfies Record<Policy, string>;

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Repeats of this request with the same key are answered what the first was.',
  schema: { type: 'string', minLength: 1, maxLength: 200, pattern: '^[!-~]+$' },
};

const LAST_EVENT_ID = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'The sequence of the last event that was received.',
  schema: { type: 'string', pattern: '^\\d+$' },
};

function parametersIn(place: 'path' | 'query', schema: z.ZodObject | undefined, schemas: Json) {
  if (!schema) return [];
  const { properties, required } = schemaOf(schema, 'input', schemas) as {
    readonly properties: Record<string, Json>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || (required?.includes(name) ?? false),
    schema: property,
  }));
}

function requestBody(schema: z.ZodType, example: unknown, schemas: Json): Json {
  return {
    required: !schema.safeParse({}).success,
    content: {
      'application/json': {
        schema: schemaOf(schema, 'input', schemas),
        ...(example !== undefined && { example }),
      },
    },
  };
}

function response({ description, body, example, mediaType }: Answer, schemas: Json): Json {
  if (!body) return { description };
  const content = {
    schema: schemaOf(body, 'output', schemas),
    ...(example !== undefined && { example }),
  };
  return { description, content: { [mediaType ?? 'application/json']: content } };
}

/** The JSON schema of a type; named types are moved to `schemas` and referenced. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', schemas: Json): Json {
  const made = z.toJSONSchema(schema, { io, override: allowMore(io) }) as Json;
  const { $schema: _dialect, $defs, ...rest } = moveRefs(made) as Json & { $defs?: Json };
  for (const [name, definition] of Object.entries($defs ?? {})) keep(schemas, name, definition);
  return rest;
}

/** Answers may gain fields; clients must tolerate them. */
function allowMore(io: 'input' | 'output') {
  return ({ jsonSchema }: { jsonSchema: Json }) => {
    if (io === 'output' && jsonSchema.additionalProperties === false) {
      delete jsonSchema.additionalProperties;
    }
  };
}

function keep(schemas: Json, name: string, definition: unknown): void {
  const before = schemas[name];
  if (before !== undefined && JSON.stringify(before) !== JSON.stringify(definition)) {
    throw new Error(`two schemas are called ${name}, or one differs between request and answer`);
  }
  schemas[name] = definition;
}

function moveRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(moveRefs);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string'
        ? inner.replace('#/$defs/', '#/components/schemas/')
        : moveRefs(inner),
    ]),
  );
}
