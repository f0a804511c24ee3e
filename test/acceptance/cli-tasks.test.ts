import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { HallInProcess } from '../support/hall-in-process.ts';
import { type Ended, guildhall } from './cli-command.ts';

let hall: HallInProcess;

before(async () => {
  hall = await HallInProcess.start({ projects: { shop: 5, bank: 2 } });
});
after(() => hall[Symbol.asyncDispose]());

function on(args: readonly string[], input = ''): Promise<Ended> {
  return guildhall([...args, '--config', hall.config], { cwd: hall.folder, input });
}

async function json(args: readonly string[], input?: string) {
  const { code, stdout, stderr } = await on([...args, '--json'], input);
  assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
  return JSON.parse(stdout);
}

async function posted(...titles: readonly string[]): Promise<readonly string[]> {
  const tasks = titles.map((title) => ({ project: 'shop', title }));
  const { body } = await hall.caller().post('/v1/tasks', tasks);
  return body.tasks.map(({ id }: { id: string }) => id);
}

async function task(id: string) {
  return (await json(['task', 'show', id])).task;
}

describe('the text of a task', () => {
  test('task add and task edit read the text of a task from standard input', async () => {
    const [added] = (await json(['task', 'add', 'Piped', '-p', 'shop', '-b', '-'], 'first')).tasks;
    assert.equal((await task(added.id)).body, 'first');
    await json(['task', 'edit', added.id, '--body', '-'], 'second\nline');
    assert.equal((await task(added.id)).body, 'second\nline');
  });
});

test('task add warns about a skill that the hall does not know', async () => {
  const { code, stderr } = await on(['task', 'add', 'Typed', '-p', 'shop', '--skill', 'implemnt']);
  assert.equal(code, 0);
  const told = /^warning: skill: implemnt is not a built-in skill.*implement/m;
  assert.match(stderr, told);
});

describe('a file of tasks', () => {
  const write = (text: string) => writeFileSync(join(hall.folder, 'tasks.yaml'), text);
  const add = (...more: string[]) => on(['task', 'add', '--file', 'tasks.yaml', ...more]);

  test('options of task add --file apply to every task that does not set them itself', async () => {
    write('- { title: One }\n- { title: Two, size: XS, labels: [own], project: bank }\n');
    const more = ['-p', 'shop', '--size', 'L', '--label', 'shared', '--body', 'read me'];
    const { tasks } = await json(['task', 'add', '--file', 'tasks.yaml', ...more]);
    const [one, two] = await Promise.all(tasks.map(({ id }: { id: string }) => task(id)));
    assert.deepEqual([one.project, one.size, one.labels], ['shop', 'L', ['shared']]);
    assert.deepEqual([two.project, two.size, two.labels], ['bank', 'XS', ['own']]);
    assert.deepEqual([one.body, two.body], ['read me', 'read me']);
  });

  test('task add --file lists the posted tasks with their titles', async () => {
    write('- { title: Apples, ref: a }\n- { title: Pears, depends_on: [a] }\n');
    const { stdout } = await add('--project', 'shop');
    assert.match(stdout, /^t-\d+ is available: Apples\nt-\d+ is blocked: Pears\n$/);
  });

  test('task add --file names an entry that is not a task, with an example of one', async () => {
    write('- { title: Good }\n- a\n');
    const { code, stderr } = await add('--project', 'shop');
    assert.equal(code, 2);
    assert.match(
      stderr,
      /tasks\.yaml:2:3 \[1\] must be a task with keys, such as "- title: Say hello"/,
    );
  });

  test('task add --file tells each mistake once, with its line', async () => {
    write('- title: Good\n- titel: Bad\n  size: tiny\n');
    const { code, stderr } = await add('--project', 'shop');
    assert.equal(code, 2);
    const [first = '', ...lines] = stderr.trimEnd().split('\n');
    assert.equal(first, 'guildhall: tasks.yaml has 3 mistakes');
    assert.deepEqual(
      lines.toSorted(),
      [
        '  tasks.yaml:2:3 [1].title: is missing',
        '  tasks.yaml:2:10 [1].titel: is not a known field; did you mean title?',
        '  tasks.yaml:3:9 [1].size: must be XS, S, M, L or XL',
      ].toSorted(),
    );
    write('tasks:\n  - title: One\n    depends_on: [t-99999]\n');
    const one = await add('--project', 'shop');
    assert.equal(one.code, 3);
    assert.match(
      one.stderr,
      /^guildhall: tasks\.yaml:3:18 \[0\]\.depends_on\[0\]: t-99999 does not exist\n$/,
    );
    write('- title: One\n title: Two\n');
    const broken = await add('--project', 'shop');
    assert.match(broken.stderr, /^guildhall: tasks\.yaml:2:\d+ is not valid YAML: [^\n]+\n$/);
  });

  test('task add --file refuses a file with more than 1000 tasks, and one without tasks', async () => {
    write('- { title: Many }\n'.repeat(1_001));
    const many = await add('--project', 'shop');
    assert.equal(many.code, 2);
    assert.match(
      many.stderr,
      /contains 1001 tasks, and at most 1000 can be posted at once: split the/,
    );
    write('[]\n');
    assert.match((await add('--project', 'shop')).stderr, /tasks\.yaml contains no tasks/);
  });

  test('task add refuses to read two options from standard input', async () => {
    const { code, stderr } = await on(['task', 'add', '--file', '-', '--body', '-']);
    assert.equal(code, 2);
    assert.match(stderr, /standard input can be read only once/);
  });
});

describe('several tasks at once', () => {
  test('task cancel cancels several tasks, up to the first that is refused', async () => {
    const [first = '', second = '', third = ''] = await posted('One', 'Two', 'Three');
    const both = await on(['task', 'cancel', first, second, '--because', 'no need']);
    assert.equal(both.stdout, `${first} is cancelled\n${second} is cancelled\n`);
    const again = await on(['task', 'cancel', third, second]);
    assert.deepEqual([again.code, again.stdout], [3, `${third} is cancelled\n`]);
    assert.match(again.stderr, new RegExp(second));
  });
});

describe('a list that does not show everything', () => {
  before(async () => {
    await posted(...Array.from({ length: 60 }, (_, n) => `Row ${n}`));
  });

  for (const noun of ['task', 'thread']) {
    test(`${noun} list reports that there are more entries and how to see them`, async () => {
      const { stdout, stderr } = await on([noun, 'list']);
      assert.equal(stdout.trimEnd().split('\n').length, 51);
      assert.match(stderr, /^50 shown, there are more: use --limit or --all\n$/);
      const cut = await json([noun, 'list', '--limit', '3']);
      assert.equal(cut[`${noun}s`].length, 3);
      assert.equal(cut.next, cut[`${noun}s`][2].id);
      const all = await on([noun, 'list', '--all']);
      assert.ok(all.stdout.trimEnd().split('\n').length > 60);
      assert.equal(all.stderr, '');
    });
  }

  test('events reports that there are more entries and how to see them', async () => {
    const newest = await on(['events']);
    assert.match(newest.stderr, /^20 shown, there are more: use --limit, up to 1000\n$/);
    const oldest = await on(['events', '--after', '2', '--limit', '3']);
    assert.match(oldest.stderr, /^3 shown, there are more: continue with --after 5\n$/);
  });
});

describe('the log of a task', () => {
  test('task log reports that the log is empty', async () => {
    const [id = ''] = await posted('Never taken');
    const { code, stdout, stderr } = await on(['task', 'log', id]);
    assert.deepEqual([code, stdout], [0, '']);
    assert.equal(stderr, `the log of ${id} is empty\n`);
  });
});
