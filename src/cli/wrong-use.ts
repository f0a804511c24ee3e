/** The command was typed in a way that cannot be meant. */
export class WrongUse extends Error {
  override readonly name = 'WrongUse';
}
