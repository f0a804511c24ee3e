/** A key that encrypts secrets. The same bytes have the same id everywhere; the id reveals nothing of them. */
export interface EncryptionKey {
  readonly id: string;
  /** Encrypts a value under a name. Sealing the same value twice gives different texts. */
  seal(name: string, value: string): string;
  /** Undefined when the text was sealed with another key or under another name, or was changed. */
  open(name: string, sealed: string): string | undefined;
  /** The same for the same text, and worthless to others: it can be stored. */
  digest(text: string): string;
}

/** Where the keys come from. The first one encrypts; the others still open what they sealed. */
export interface SecretsKey {
  /** Where people find it: a path, or a command. */
  readonly place: string;
  /** Reads the keys again: at least one, or why there is none. */
  read(): Promise<readonly EncryptionKey[] | KeyFault>;
  /** Makes the first key. Never replaces one: if there is one by now, that is the answer. */
  create(): Promise<EncryptionKey | KeyFault>;
  /** Puts a new key before those that there are, which stay. */
  addFirst(): Promise<EncryptionKey | KeyFault>;
}

/** Why there is no key to use. An operator has to act, so it is an answer and not an error. */
export interface KeyFault {
  /** What is wrong and what to do; never a part of the key. */
  readonly fault: string;
  /** There is none, and nothing stands where it should be. */
  readonly isMissing: boolean;
}

export function isKeyFault(answer: unknown): answer is KeyFault {
  return typeof answer === 'object' && answer !== null && 'fault' in answer;
}
