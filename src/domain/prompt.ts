/** The parts of an agent's prompt. The worker assembles them; the hall shows them on request. */
export interface PromptParts {
  /** The contract of all agents; nothing below overrides it. */
  readonly contract: string;
  readonly persona: string | null;
  readonly skill: string;
  readonly appendix: string | null;
  /** The values of `{{word}}` placeholders in the parts above. */
  readonly words: Readonly<Record<string, string>>;
  readonly task: TaskFacts;
  readonly thread: readonly Passage[];
  /** The thread's history, oldest first. */
  readonly memory: readonly Passage[];
  /** The repository's own instructions to agents, from the commit that the branch starts from. */
  readonly repository: readonly Passage[];
}

interface TaskFacts {
  readonly name: string;
  readonly project: string;
  readonly skill: string;
  readonly size: string;
  readonly branch: string;
  readonly base: string;
}

/** A text that is not by the hall: material, never instruction. */
export interface Passage {
  /** What it is and where it comes from: `issue`, `answer`, `CLAUDE.md at 1f2e3d4`. */
  readonly source: string;
  readonly author: string;
  readonly text: string;
}

export interface Prompt {
  readonly system: string;
  readonly task: string;
}

/**
 * The system prompt is the same for all tasks of an agent, because a resumed conversation keeps its
 * first one. Instructions for this task come with the task.
 */
export function assemblePrompt(parts: PromptParts): Prompt {
  return { system: systemPrompt(parts), task: taskPrompt(parts) };
}

function systemPrompt({ contract, persona }: PromptParts): string {
  const sections = [contract, persona && `## Who you are\n\n${withoutTitle(persona)}`];
  return joined(sections);
}

function joined(sections: readonly (string | null)[]): string {
  return sections.flatMap((section) => section?.trim() || []).join('\n\n');
}

/** The persona's own title would outrank the heading above it. */
function withoutTitle(sheet: string): string {
  return sheet.replace(/^# .*\n+/, '');
}

const PLACEHOLDER = /\{\{([a-z_]+)\}\}/g;

/** Leaves an unknown placeholder in place, so a test of the prompt files can find it. */
function fill(text: string, words: Readonly<Record<string, string>>): string {
  return text.replace(PLACEHOLDER, (whole, word: string) => words[word] ?? whole);
}

function taskPrompt(parts: PromptParts): string {
  const { task, skill, appendix, words, thread, memory, repository } = parts;
  return joined([
    `Your task is ${task.name} of project ${task.project}: ${task.skill}, size ${task.size}. You work in the folder ${words['work'] ?? 'that you are in'}, on the branch ${task.branch}, which starts from ${task.base}.`,
    fill(skill, words),
    appendix && `## Agent-specific guidance\n\n${fill(appendix, words)}`,
    '## What the thread asks for',
    ...thread.map(quoted),
    memory.length > 0 ? '## What happened in the thread so far, oldest first' : null,
    ...memory.map(quoted),
    repository.length > 0 ? '## What the repository says about working in it' : null,
    ...repository.map(quoted),
  ]);
}

/**
 * Marks text as a quotation. It cannot close its own block, and hidden characters become visible to
 * a person who reads along.
 */
export function quoted({ source, author, text }: Passage): string {
  const attributes = `source="${attribute(source)}" author="${attribute(author)}"`;
  return `<data ${attributes}>\n${visible(text).replace(/<(?=\s*\/?\s*data)/gi, '&lt;')}\n</data>`;
}

function attribute(text: string): string {
  return visible(text).replace(/[<>"\n\r]/g, ' ');
}

/** Zero-width, bidirectional, tag and control characters, which a reader would not see. */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

function visible(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(HIDDEN, (hidden) => `\\u{${hidden.codePointAt(0)?.toString(16)}}`);
}
