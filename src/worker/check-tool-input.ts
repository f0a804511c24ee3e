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
  const fields = isObject(input) ? input : {};
  const unknown = Object.keys(fields).filter((name) => !Object.hasOwn(properties, name));
  const mistakes = [
    ...(isObject(input) ? [] : ['the parameters must be an object']),
    ...unknown.map((name) => `${name} is not a parameter`),
    ...required.filter((name) => isEmpty(fields[name])).map((name) => `${name} is missing`),
    ...Object.entries(properties).flatMap(([name, parameter]) => {
      const fault = fields[name] === undefined ? undefined : faultIn(parameter, fields[name]);
      return fault === undefined ? [] : [`${name} ${fault}`];
    }),
  ];
  return { mistakes, fields: fieldsOf(fields) };
}

function isObject(input: unknown): input is Readonly<Record<string, unknown>> {
  return typeof input === 'object' && input !== null && !Array.isArray(input);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && value.trim() === '');
}

function faultIn({ type, enum: allowed }: Parameter, value: unknown): string | undefined {
  if (type === 'array') return textsFault(value);
  if (typeof value !== 'string') return 'must be a string';
  if (value.length > MAX_CHARACTERS) return `must be at most ${MAX_CHARACTERS} characters`;
  if (allowed && !allowed.includes(value)) return `must be one of ${allowed.join(', ')}`;
  return undefined;
}

function textsFault(value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'must be a list of strings';
  if (value.length > MAX_TEXTS) return `must have at most ${MAX_TEXTS} entries`;
  const isFine = value.every((each) => typeof each === 'string' && each.length <= MAX_CHARACTERS);
  return isFine ? undefined : 'must be a list of strings';
}

function fieldsOf(fields: Readonly<Record<string, unknown>>): Fields {
  const maybe = (name: string) => {
    const value = fields[name];
    return typeof value === 'string' ? storable(value) : null;
  };
  return {
    text: (name) => maybe(name) ?? '',
    maybe,
    texts(name) {
      const value = fields[name];
      return Array.isArray(value) ? value.map((each) => storable(String(each))) : [];
    },
  };
}

/** Drops or replaces characters that the hall would refuse, rather than losing the whole text. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
