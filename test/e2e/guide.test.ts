import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { until } from '../support/hall-fixture.ts';
import { HallProcess } from '../support/hall-process.ts';
import { SourceHall } from '../support/source-hall.ts';
import { REPO, sourceForge } from '../support/sources-under-test.ts';

const PAGE = fileURLToPath(new URL('../../docs/guide/first-steps.md', import.meta.url));
const SOURCES = fileURLToPath(new URL('../../docs/guide/sources.md', import.meta.url));
const BIN = fileURLToPath(new URL('../../bin/guildhall.js', import.meta.url));

/** The commands a reader types, in order. */
function commandsOn(page: string): string {
  const blocks = readFileSync(page, 'utf8').matchAll(/```sh run\n([\s\S]*?)```/g);
  return [...blocks].map(([, block]) => block).join('\n');
}

/** Types the commands of a page in the folder of a running hall. */
function type(page: string, hall: HallProcess) {
  const tools = join(hall.folder, 'tools');
  mkdirSync(tools);
  const start = `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`;
  writeFileSync(join(tools, 'guildhall'), start, { mode: 0o755 });
  const script = commandsOn(page).replaceAll('http://127.0.0.1:4600', hall.url);
  const path = [tools, dirname(process.execPath), process.env['PATH']].join(delimiter);

  return spawnSync('bash', ['-eu', '-c', script], {
    cwd: hall.folder,
    encoding: 'utf8',
    env: { ...process.env, PATH: path, GUILDHALL_CONFIG: hall.config },
  });
}

test('the commands on the first-steps page work as written', async () => {
  await using hall = await HallProcess.start();
  const { status, stdout, stderr } = type(PAGE, hall);
  assert.equal(status, 0, `${stdout}\n${stderr}`);
  assert.match(stdout, /no_worker/);
  assert.match(stdout, /working on Say hello/);
  assert.match(stdout, /said hello/);
});

test('the commands on the page about task sources work as written', async () => {
  await using hall = await HallProcess.start({ hall: { max_recruits: 0 } });
  const { status, stdout, stderr } = type(SOURCES, hall);
  assert.equal(status, 0, `${stdout}\n${stderr}`);
  assert.match(stdout, /^cart-spiral-grove {2}up {2}0 of 2 completed, 2 waiting/m);
  assert.match(stdout, /\.sdd\/tasks\/2026-01-31-cart-tasks\.md: 0 of 2 completed, 2 waiting/);
  assert.match(stdout, /blocked .* TASK-002: Add the page/);
});

test('the project on the page about task sources posts a labelled issue and a breakdown', async () => {
  const [, block = ''] = /```yaml\n([\s\S]*?)```/.exec(readFileSync(SOURCES, 'utf8')) ?? [];
  const { projects } = parse(block);
  await using shop = await sourceForge('github');
  const number = shop.ada.openIssue(REPO, { title: 'Add a cart' });
  shop.ada.addLabels(REPO, number, ['ready']);
  await shop.ada.push(REPO, { branch: 'main', files: { '.sdd/tasks/a-tasks.md': BREAKDOWN } });
  await using hall = await SourceHall.start(projects[0], shop.connection);
  await until('both are posted', async () => (await hall.tasks()).length === 2);
  const titles = (await hall.tasks()).map(({ title }) => title);
  assert.deepEqual(titles.toSorted(), ['Add a cart', 'TASK-001: Add the table']);
  assert.equal(number, 1);
});

const BREAKDOWN = '---\nstatus: In Progress\n---\n\n### TASK-001: Add the table\n';
