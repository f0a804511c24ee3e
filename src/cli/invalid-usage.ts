/** The command was typed in a way that cannot be meant. */
export class InvalidUsage extends Error {
  override readonly name = 'InvalidUsage';
}
