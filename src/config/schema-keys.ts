import { z } from 'zod';
import { isFields } from './fields.ts';
import type { Path } from './mistake.ts';

/** The part of JSON Schema that the configuration's schema uses. */
interface Shape {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Shape>>;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape | false;
  readonly propertyNames?: { readonly enum?: readonly string[] };
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly const?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
}

interface KnownKey {
  /** `projects[].max_workers`, `types.<name>.model`. */
  readonly path: string;
  /** Undefined where there is none. */
  readonly default: unknown;
}

function rootShape(schema: z.ZodType): Shape {
  const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape;
  return inlined(shape, shape.$defs ?? {});
}

/** Named parts appear once, as references. */
function inlined(shape: Shape, parts: Readonly<Record<string, Shape>>): Shape {
  const text = JSON.stringify(shape, (_key, value: unknown) => {
    const name = isFields(value) && typeof value['$ref'] === 'string' ? value['$ref'] : undefined;
    const part = name === undefined ? undefined : parts[name.replace('#/$defs/', '')];
    return part ? { ...part, ...(value as Shape), $ref: undefined } : value;
  });
  return JSON.parse(text);
}

/** Every key that a file may have, for the reference page. */
export function everyKey(schema: z.ZodType): readonly KnownKey[] {
  const found = new Map<string, KnownKey>();
  for (const key of keysBelow(rootShape(schema), ''))
    if (!found.has(key.path)) found.set(key.path, key);
  return [...found.values()];
}

function keysBelow(shape: Shape, above: string): readonly KnownKey[] {
  const step = above === '' ? '' : `${above}.`;
  const named = Object.entries(shape.properties ?? {}).flatMap(([key, below]) => [
    { path: `${step}${key}`, default: below.default },
    ...keysBelow(below, `${step}${key}`),
  ]);
  const others = shape.additionalProperties ? [shape.additionalProperties] : [];
  return [
    ...named,
    ...others.flatMap((below) => keysBelow(below, `${step}<name>`)),
    ...(shape.items ? keysBelow(shape.items, `${above}[]`) : []),
    ...choices(shape).flatMap((choice) => keysBelow(choice, above)),
  ];
}

/** Says which keys a file may have at a path, given the values in it. */
export function createKeys(schema: z.ZodType) {
  return (path: Path, written: unknown) => keysAt(rootShape(schema), path, written);
}

function keysAt(root: Shape, path: Path, written: unknown): readonly string[] {
  let shapes: readonly Shape[] = [root];
  let value = written;
  for (const step of path) {
    shapes = shapes
      .flatMap((shape) => fitting(shape, value))
      .flatMap((shape) => below(shape, step));
    value = isFields(value) || Array.isArray(value) ? Reflect.get(value, step) : undefined;
  }
  const here = shapes.flatMap((shape) => fitting(shape, value));
  return [...new Set(here.flatMap(namesIn))];
}

function namesIn({ properties, propertyNames }: Shape): readonly string[] {
  return [...Object.keys(properties ?? {}), ...(propertyNames?.enum ?? [])];
}

function below(shape: Shape, step: string | number): readonly Shape[] {
  if (typeof step === 'number') return shape.items ? [shape.items] : [];
  const named = shape.properties?.[step];
  if (named) return [named];
  return shape.additionalProperties ? [shape.additionalProperties] : [];
}

/** Of several shapes that differ by `kind`, the one for the kind in the file. */
function fitting(shape: Shape, value: unknown): readonly Shape[] {
  const all = choices(shape);
  if (all.length === 0) return [shape];
  const kind = isFields(value) ? value['kind'] : undefined;
  const picked = all.filter(({ properties }) => isOfKind(properties?.['kind'], kind));
  return (picked.length > 0 ? picked : all).flatMap((choice) => fitting(choice, value));
}

function isOfKind(shape: Shape | undefined, kind: unknown): boolean {
  return shape?.const === kind || shape?.enum?.some((each) => each === kind) === true;
}

function choices({ anyOf, oneOf }: Shape): readonly Shape[] {
  return anyOf ?? oneOf ?? [];
}
