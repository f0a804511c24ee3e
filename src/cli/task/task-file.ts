import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { parse } from 'yaml';
import { MAX_TASKS_PER_POST } from '../../api/tasks.ts';
import { type Fields, isFields } from '../../config/fields.ts';
import { InvalidUsage } from '../invalid-usage.ts';
import type { ProcessContext } from '../process-context.ts';

/** The tasks that a file lists, `-` being the input. What each may hold is the hall's to check. */
export async function tasksIn(file: string, context: From): Promise<readonly Fields[]> {
  const value = await read(file, context);
  const tasks = Array.isArray(value) ? value : listIn(value);
  if (!tasks)
    throw new InvalidUsage(`${file} must hold a list of tasks, or one under the key tasks`);
  if (tasks.length === 0) throw new InvalidUsage(`${file} holds no tasks`);
  if (tasks.length > MAX_TASKS_PER_POST) {
    const most = `at most ${MAX_TASKS_PER_POST} are posted at once: split the file`;
    throw new InvalidUsage(`${file} holds ${tasks.length} tasks, and ${most}`);
  }
  const odd = tasks.findIndex((task) => !isFields(task));
  if (odd >= 0) {
    throw new InvalidUsage(
      `${file}: [${odd}] must be a task with keys, such as "- title: Say hello"`,
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
