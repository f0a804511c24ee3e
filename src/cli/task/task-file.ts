import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { MAX_TASKS_PER_POST } from '../../api/batch-limit.ts';
import { type Fields, isFields } from '../../config/fields.ts';
import { type Path, spellMistake } from '../../config/mistake.ts';
import { parseYaml, type YamlSource } from '../../config/yaml-source.ts';
import { InvalidUsage } from '../invalid-usage.ts';
import type { ProcessContext } from '../process-context.ts';

/** The tasks in a file, and where each of their fields is written. */
export interface TaskFile {
  readonly file: string;
  readonly tasks: readonly Fields[];
  /** `tasks.yaml:4:3 [1].title` for `[1].title`. */
  readonly placeOf: (path: string) => string;
}

/** Reads the tasks in a file; `-` is standard input. The hall validates each task. */
export async function readTaskFile(file: string, context: From): Promise<TaskFile> {
  const source = parseYaml(file, await read(file, context));
  if (!('value' in source)) throw new InvalidUsage(source.map(spellMistake).join('\n'));
  const { tasks, at } = tasksIn(source);
  const invalid = tasks.findIndex((task) => !isFields(task));
  const placeOf = (path: string) => place(source, at, path);
  if (invalid >= 0) {
    throw new InvalidUsage(
      `${placeOf(`[${invalid}]`)} must be a task with keys, such as "- title: Say hello"`,
    );
  }
  return { file, tasks: tasks.filter(isFields), placeOf };
}

interface Found {
  readonly tasks: readonly unknown[];
  /** The path of the n-th task in the file. */
  readonly at: (n: number) => Path;
}

function tasksIn({ file, value }: YamlSource): Found {
  const found = listIn(value);
  if (!found)
    throw new InvalidUsage(
      `${file} must contain a list of tasks, on its own or under the key tasks`,
    );
  const { length } = found.tasks;
  if (length === 0) throw new InvalidUsage(`${file} contains no tasks`);
  if (length > MAX_TASKS_PER_POST) {
    const limit = `at most ${MAX_TASKS_PER_POST} can be posted at once: split the file`;
    throw new InvalidUsage(`${file} contains ${length} tasks, and ${limit}`);
  }
  return found;
}

function listIn(value: unknown): Found | undefined {
  if (Array.isArray(value)) return { tasks: value, at: (n) => [n] };
  if (!isFields(value)) return undefined;
  if (Array.isArray(value['tasks'])) return { tasks: value['tasks'], at: (n) => ['tasks', n] };
  return 'title' in value ? { tasks: [value], at: () => [] } : undefined;
}

/** The hall names fields as `[1].labels[0]`; an option that fills a field has no place in the file. */
function place(source: YamlSource, at: Found['at'], path: string): string {
  const [n, ...steps] = [...path.matchAll(/\[(\d+)\]|([a-z_]+)/g)].map(([, index, key = '']) =>
    index === undefined ? key : Number(index),
  );
  if (typeof n !== 'number') return path;
  const where = source.valueAt([...at(n), ...steps]);
  return 'line' in where ? `${source.file}:${where.line}:${where.column} ${path}` : path;
}

type From = Pick<ProcessContext, 'stdin' | 'cwd'>;

const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EISDIR: 'is a folder, not a file',
};

async function read(file: string, { stdin, cwd }: From): Promise<string> {
  try {
    return await (file === '-' ? text(stdin()) : readFile(resolve(cwd, file), 'utf8'));
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new InvalidUsage(`${file} ${UNREADABLE[code] ?? `could not be read: ${message}`}`, {
      cause: error,
    });
  }
}
