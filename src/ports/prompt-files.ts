/** The prompts that people write for agents. They are reviewed like code and reread when they change. */
export interface PromptFiles {
  /** The contract that every agent gets. */
  contract(): string;
  /** Null when there is no such persona. */
  persona(slug: string): string | null;
  skill(name: string): string | null;
  skills(): readonly SkillFile[];
}

export interface SkillFile {
  readonly name: string;
  /** The agent type for tasks that name none. */
  readonly type: string;
  readonly writes: boolean;
  /** For display. */
  readonly path: string;
  readonly text: string;
}

/** A prompt file cannot be read or parsed. */
export class PromptFileFailed extends Error {
  override readonly name = 'PromptFileFailed';
}
