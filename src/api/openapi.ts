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
          description: 'Why the request was refused or failed (RFC 9457)',
          content: { 'application/problem+json': { schema: problem } },
        },
      },
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'The API token of a person or a worker',
        },
      },
    },
  };
}

const ABOUT =
  'A board where AI coding agents pick up work. The response to an invalid request lists its errors at once, up to 20. ' +
  'A POST with an Idempotency-Key is safe to repeat.';

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
    description: ACCESS[policy],
    security: policy === 'anyone' || policy === 'webhook' ? [] : [{ token: [] }],
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

const ACCESS = {
  anyone: 'Needs no token.',
  webhook: 'For forges: needs no token, but a body signed with the webhook secret.',
  viewer: 'For viewers and operators.',
  viewer_or_worker: 'For viewers and operators, and for workers about their own tasks and runs.',
  operator: 'For operators.',
  operator_or_worker: 'For operators and the worker itself.',
  join: 'For operators and tokens with the role worker.',
  worker: 'For the worker itself, with the token from its registration.',
} as const satisfies Record<Policy, string>;

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A repeated request with the same key gets the same response as the first.',
  schema: { type: 'string', minLength: 1, maxLength: 200, pattern: '^[!-~]+$' },
};

const LAST_EVENT_ID = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'The sequence number of the last event that the client received.',
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
  for (const [name, definition] of Object.entries($defs ?? {}))
    addSchema(schemas, name, definition);
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

function addSchema(schemas: Json, name: string, definition: unknown): void {
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
