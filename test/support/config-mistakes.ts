import { ConfigRefused, spellMistake } from '../../src/config/mistake.ts';

/** The mistakes for which a configuration is refused; none if it is accepted. */
export function configMistakes(load: () => unknown): readonly string[] {
  try {
    load();
  } catch (error) {
    if (error instanceof ConfigRefused) return error.mistakes.map(spellMistake);
    throw error;
  }
  return [];
}
