import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { parse } from 'yaml';
import { MAX_TASKS_PER_POST } from '../../api/tasks.ts';
import { type Fields, isFields } from '../../config/fields.ts';
import { InvalidUsage } from '../invalid-usage.ts';
import type { ProcessContext } from '../process-context.ts';

/** Reads the tasks in a file; `-` is standard input. The hall validates each task. */
export async function tasksIn(file: string, context: From): Promise<readonly Fields[]> {
  const value = await read(file, context);
  const tasks = Array.isArray(value) ? value : listIn(value);
  if (!tasks)
    throw new InvalidUsage(
      `${file} must contain a list of tasks, on its own or under the key tasks`,
    );
  if (tasks.length === 0) throw new InvalidUsage(`${file} contains no tasks`);
  if (tasks.length > MAX_TASKS_PER_POST) {
    const limit = `at most ${MAX_TASKS_PER_POST} can be posted at once: split the file`;
    throw new InvalidUsage(`${file} contains ${tasks.length} tasks, and ${limit}`);
  }
  const invalid = tasks.findIndex((task) => !isFields(task));
  if (invalid >= 0) {
    throw new InvalidUsage(
      `${file}: [${invalid}] must be a task with keys, such as "- title: Say hello"`,
    );
  }
  return tasks.filter(isFields);
}

function listIn(value: unknown): readonly unknown[] | undefined {
  if (!isFields(value)) return undefined;
  if (Array.isArray(value['tasks'])) return value['tasks'];
  return 'title' in value ? [value] : undefined;
}

type From = Pick<ProcessContext, 'stdin' | 'cwd'>;

/** JSON is YAML too. */
async function read(file: string, { stdin, cwd }: From): Promise<unknown> {
  try {
    const read = file === '-' ? text(stdin()) : readFile(resolve(cwd, file), 'utf8');
    return parse(await read, { prettyErrors: true });
  } catch (error) {
    throw new InvalidUsage(`${file}: ${(error as Error).message}`, { cause: error });
  }
}
