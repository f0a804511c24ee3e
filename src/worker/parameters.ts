/** The few kinds of parameters that hall tools have. */
interface Parameter {
  readonly type: 'string' | 'array';
  readonly enum?: readonly string[];
}

export const MAX_CHARACTERS = 20_000;
export const MAX_TEXTS = 100;

/** Parameters that were checked against their schema. */
export interface Fields {
  text(name: string): string;
  maybe(name: string): string | null;
  texts(name: string): readonly string[];
}

/** Everything that is wrong with an agent's input, as messages it can act on. */
export function mistakesIn(
  schema: Readonly<Record<string, unknown>>,
  input: unknown,
): { readonly mistakes: readonly string[]; readonly fields: Fields } {
  const { properties, required } = schema as {
    readonly properties: Readonly<Record<string, Parameter>>;
    readonly required: readonly string[];
  };
  const given = isObject(input) ? input : {};
  const strange = Object.keys(given).filter((name) => !Object.hasOwn(properties, name));
  const mistakes = [
    ...(isObject(input) ? [] : ['the parameters must be an object']),
    ...strange.map((name) => `${name} is no parameter`),
    ...required.filter((name) => isEmpty(given[name])).map((name) => `${name} is missing`),
    ...Object.entries(properties).flatMap(([name, parameter]) => {
      const wrong = given[name] === undefined ? undefined : faultIn(parameter, given[name]);
      return wrong === undefined ? [] : [`${name} ${wrong}`];
    }),
  ];
  return { mistakes, fields: fieldsOf(given) };
}

function isObject(input: unknown): input is Readonly<Record<string, unknown>> {
  return typeof input === 'object' && input !== null && !Array.isArray(input);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && value.trim() === '');
}

function faultIn({ type, enum: allowed }: Parameter, value: unknown): string | undefined {
  if (type === 'array') return textsFault(value);
  if (typeof value !== 'string') return 'must be text';
  if (value.length > MAX_CHARACTERS) return `must be at most ${MAX_CHARACTERS} characters`;
  if (allowed && !allowed.includes(value)) return `must be one of ${allowed.join(', ')}`;
  return undefined;
}

function textsFault(value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'must be a list of texts';
  if (value.length > MAX_TEXTS) return `must have at most ${MAX_TEXTS} entries`;
  const isFine = value.every((each) => typeof each === 'string' && each.length <= MAX_CHARACTERS);
  return isFine ? undefined : 'must be a list of texts';
}

function fieldsOf(given: Readonly<Record<string, unknown>>): Fields {
  const maybe = (name: string) => {
    const value = given[name];
    return typeof value === 'string' ? storable(value) : null;
  };
  return {
    text: (name) => maybe(name) ?? '',
    maybe,
    texts(name) {
      const value = given[name];
      return Array.isArray(value) ? value.map((each) => storable(String(each))) : [];
    },
  };
}

/** Drops or replaces characters that the hall would refuse, rather than losing the whole text. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
