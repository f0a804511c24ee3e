/** A step into the configuration: a key, or a place in a list. */
export type Step = string | number;
export type Path = readonly Step[];

/** Where a value was written. */
export type Place =
  | { readonly file: string; readonly line: number; readonly column: number }
  | { readonly variable: string }
  | { readonly flag: string };

/** One mistake in the configuration. Never contains a value, which might be a secret. */
export interface ConfigMistake {
  readonly place: Place;
  /** `projects[0].max_workers`; empty for the whole file. */
  readonly path: string;
  readonly message: string;
}

export class ConfigRefused extends Error {
  override readonly name = 'ConfigRefused';
  readonly mistakes: readonly ConfigMistake[];

  constructor(mistakes: readonly ConfigMistake[], options?: ErrorOptions) {
    super(mistakes.map(spellMistake).join('\n'), options);
    this.mistakes = mistakes;
  }
}

export function spellMistake({ place, path, message }: ConfigMistake): string {
  return `${spellPlace(place)} ${path === '' ? '' : `${path}: `}${message}`;
}

function spellPlace(place: Place): string {
  if ('flag' in place) return place.flag;
  if ('variable' in place) return `$${place.variable}`;
  return `${place.file}:${place.line}:${place.column}`;
}

/** In the order of the file. */
export function inOrder(mistakes: readonly ConfigMistake[]): readonly ConfigMistake[] {
  const line = ({ place }: ConfigMistake) =>
    'line' in place ? place.line * 1_000 + place.column : 0;
  return mistakes.toSorted((a, b) => line(a) - line(b));
}
