import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  asWork,
  type GitFixture,
  gitFixture,
  type OpenCheckout,
  PATH,
  THREAD,
} from '../../../test/support/git-fixture.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { removeFolder } from './remove-folder.ts';
import { createGitWorkspaces, type GitMirror } from './workspaces.ts';

const DAY = 24 * 3600_000;

function plan(fixture: GitFixture, days: number) {
  return {
    cells: join(fixture.folder, 'cells'),
    alive: new Set<string>(),
    keep: { runs: DAY, rescued: 30 * DAY },
    budgetBytes: 1e12,
    now: Date.now() + days * DAY,
  };
}

/** A run whose workspace has ended and lies where the sweep looks. */
async function endedRun(
  fixture: GitFixture,
  mirror: GitMirror,
  run: string,
): Promise<OpenCheckout> {
  const checkout = await fixture.begin(mirror, `hall/ada/${run}`);
  checkout.write({ [`${run}.txt`]: `${run}\n` });
  return checkout;
}

describe('a sweep of runs', () => {
  it('a sweep removes a pushed run after its retention', async () => {
    using fixture = gitFixture();
    const mirror = await fixture.mirror();
    const checkout = await endedRun(fixture, mirror, 'r-1');
    const work = asWork(await checkout.harvest({ run: 'r-1' }));
    await mirror.push(work, { branch: THREAD, expected: null });
    const workspaces = createGitWorkspaces(fixture.settings);

    assert.deepEqual((await workspaces.sweep(plan(fixture, 0))).removed, []);
    const swept = await workspaces.sweep(plan(fixture, 2));

    assert.deepEqual(swept.removed, ['r-1']);
    assert.equal(existsSync(join(fixture.root, 'runs/r-1')), false);
    assert.ok(swept.disk.mirrors > 0);
  });

  it('a sweep rescues unpushed work before it removes the run, and keeps the rescue for its retention', async () => {
    using fixture = gitFixture();
    const mirror = await fixture.mirror();
    const checkout = await endedRun(fixture, mirror, 'r-1');
    const work = asWork(await checkout.harvest({ run: 'r-1' }));
    const workspaces = createGitWorkspaces(fixture.settings);

    const swept = await workspaces.sweep(plan(fixture, 2));
    assert.deepEqual([swept.removed, swept.rescued], [['r-1'], ['refs/hall/rescue/r-1']]);
    assert.equal((await mirror.rescued())[0]?.commit, work.commit);
    assert.deepEqual((await workspaces.sweep(plan(fixture, 29))).forgotten, []);

    assert.deepEqual((await workspaces.sweep(plan(fixture, 31))).forgotten, [
      'refs/hall/rescue/r-1',
    ]);
    assert.deepEqual(await mirror.rescued(), []);
  });

  it('a sweep does not touch a live run, even over budget', async () => {
    using fixture = gitFixture();
    const mirror = await fixture.mirror();
    const checkout = await endedRun(fixture, mirror, 'r-alive');
    asWork(await checkout.harvest({ run: 'r-alive' }));

    const swept = await createGitWorkspaces(fixture.settings).sweep({
      ...plan(fixture, 400),
      alive: new Set(['r-alive']),
      budgetBytes: 0,
    });

    assert.deepEqual([swept.removed, swept.rescued], [[], []]);
    assert.ok(existsSync(join(fixture.root, 'runs/r-alive')));
  });

  it('a sweep does not touch a run that began after the list of live runs was taken', async () => {
    using fixture = gitFixture();
    const mirror = await fixture.mirror();
    const listedAt = Date.now() - 1;
    const checkout = await endedRun(fixture, mirror, 'r-1');
    await checkout.harvest({ run: 'r-1' });
    const workspaces = createGitWorkspaces(fixture.settings);

    const tight = { ...plan(fixture, 0), budgetBytes: 0 };
    assert.deepEqual((await workspaces.sweep({ ...tight, now: listedAt })).removed, []);
    assert.deepEqual((await workspaces.sweep({ ...tight, now: Date.now() + 1 })).removed, ['r-1']);
  });

  it('a sweep keeps a run whose work cannot be rescued and continues with the others', async () => {
    using fixture = gitFixture();
    const mirror = await fixture.mirror();
    for (const run of ['r-1', 'r-2']) {
      const checkout = await endedRun(fixture, mirror, run);
      await checkout.harvest({ run });
    }
    const record = join(fixture.root, 'runs/r-1/record.json');
    const stored = JSON.parse(readFileSync(record, 'utf8'));
    writeFileSync(
      record,
      JSON.stringify({ ...stored, mirror: join(fixture.root, 'mirrors/gone.git') }),
    );
    const { removed, stuck } = await createGitWorkspaces(fixture.settings).sweep(plan(fixture, 2));
    assert.deepEqual([removed, stuck.map(({ run }) => run)], [['r-2'], ['r-1']]);
    assert.equal(existsSync(record), true);
  });

  it('a sweep removes the oldest runs until the disk use is within the budget', async () => {
    using fixture = gitFixture();
    const mirror = await fixture.mirror();
    for (const run of ['r-1', 'r-2']) {
      const checkout = await endedRun(fixture, mirror, run);
      asWork(await checkout.harvest({ run }));
    }
    const workspaces = createGitWorkspaces(fixture.settings);
    const { disk } = await workspaces.sweep(plan(fixture, 0));

    const swept = await workspaces.sweep({
      ...plan(fixture, 0),
      budgetBytes: disk.mirrors + disk.runs + disk.cells - 1,
    });

    assert.deepEqual(swept.removed, ['r-1']);
    assert.deepEqual(swept.rescued, ['refs/hall/rescue/r-1']);
  });
});

describe('removing a folder', () => {
  it('A31: a folder with hostile names, permissions, depths and links is removed, and no link is followed', async () => {
    using temp = tempFolder();
    fillBadly(temp.path);
    await removeFolder(
      { path: PATH },
      { folder: temp.file('runs/bad'), within: temp.file('runs') },
    );
    assert.equal(existsSync(temp.file('runs/bad')), false);
    assert.equal(readFileSync(temp.file('precious/keep'), 'utf8'), 'me');
  });

  it('A31: a hostile folder is removed by an ordinary account too', {
    skip: process.getuid?.() !== 0 && 'needs root',
  }, () => {
    using temp = tempFolder();
    chmodSync(temp.path, 0o777);
    chownSync(temp.path, NOBODY, NOBODY);
    const module = fileURLToPath(new URL('./remove-folder.ts', import.meta.url));
    asNobody(temp.path, fillBadly.toString(), `fillBadly(${JSON.stringify(temp.path)})`);
    const call = `removeFolder(${JSON.stringify({ path: PATH })}, ${JSON.stringify({
      folder: temp.file('runs/bad'),
      within: temp.file('runs'),
    })})`;
    asNobody(
      temp.path,
      `const { removeFolder } = await import(${JSON.stringify(module)});`,
      `await ${call}`,
    );
    assert.equal(existsSync(temp.file('runs/bad')), false);
    assert.equal(readFileSync(temp.file('precious/keep'), 'utf8'), 'me');
  });

  it('removing a folder never touches anything outside its parent', async () => {
    using temp = tempFolder();
    mkdirSync(temp.file('runs/x'), { recursive: true });
    for (const folder of ['', '.', '..', 'x/../..', '../precious']) {
      const request = { folder: join(temp.file('runs'), folder), within: temp.file('runs') };
      await assert.rejects(removeFolder({ path: PATH }, request), { name: 'RepositoryFailed' });
    }
    symlinkSync(temp.path, temp.file('runs/link'));
    const link = { folder: temp.file('runs/link'), within: temp.file('runs') };
    await removeFolder({ path: PATH }, link);
    assert.ok(existsSync(temp.file('runs/x')));
  });
});

const NOBODY = 65_534;

function asNobody(cwd: string, ...lines: string[]): void {
  const imports = `import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
`;
  const script = [imports, ...lines].join('\n');
  const args = ['--input-type=module', '--eval', script];
  execFileSync(process.execPath, args, { cwd, uid: NOBODY, gid: NOBODY, stdio: 'pipe' });
}

/** Written without types, because another account runs its text. */
function fillBadly(root: string): void {
  mkdirSync(join(root, 'precious'));
  writeFileSync(join(root, 'precious/keep'), 'me');
  const bad = join(root, 'runs/bad');
  mkdirSync(bad, { recursive: true });
  symlinkSync(join(root, 'precious'), join(bad, 'way-out'));
  symlinkSync('.', join(bad, 'round'));
  writeFileSync(join(bad, '-rf'), '');
  writeFileSync(join(bad, 'a\nb\u001b[31m'), '');
  writeFileSync(Buffer.from(`${bad}/\xff\xfe`, 'latin1'), '');
  execFileSync('mkfifo', [join(bad, 'pipe')]);
  // Deeper than any path may be spelled, and without a right at the bottom and at the top.
  const deep = `const fs = require('node:fs');
    for (let n = 0; n < 60; n += 1) { fs.mkdirSync('d'.repeat(200)); process.chdir('d'.repeat(200)); }
    fs.chmodSync('.', 0);`;
  execFileSync(process.execPath, ['--eval', deep], { cwd: bad });
  mkdirSync(join(bad, 'closed/inner'), { recursive: true });
  writeFileSync(join(bad, 'closed/inner/file'), '');
  chmodSync(join(bad, 'closed/inner'), 0);
  chmodSync(join(bad, 'closed'), 0);
}
