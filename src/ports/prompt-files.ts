/** What agents are told by people: files that are reviewed like code and read again when they change. */
export interface PromptFiles {
  /** The contract of all agents. */
  contract(): string;
  /** Null when there is no such persona. */
  persona(slug: string): string | null;
  skill(name: string): string | null;
  skills(): readonly SkillFile[];
}

export interface SkillFile {
  readonly name: string;
  /** The agent type that takes it when a task names none. */
  readonly type: string;
  readonly writes: boolean;
  /** Where it is, for people. */
  readonly path: string;
  readonly text: string;
}

/** A sheet cannot be read or says nothing the hall understands. */
export class PromptFileFailed extends Error {
  override readonly name = 'PromptFileFailed';
}
