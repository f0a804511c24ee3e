import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  type ForgeEmulator,
  startForgeEmulator,
} from '../../src/adapters/forge-emulator/emulator.ts';
import { begun, onlyGit } from '../acceptance/cli-command.ts';
import type { CommandInProcess } from '../support/command-in-process.ts';
import { PATH } from '../support/git-fixture.ts';
import { type Json, until } from '../support/hall-fixture.ts';
import { type TempFolder, tempFolder } from '../support/temp-folder.ts';

const BIN = fileURLToPath(new URL('../../bin/guildhall.js', import.meta.url));

/** The commands that a reader types, block by block. */
function blocksOn(page: string): readonly string[] {
  const text = readFileSync(new URL(`../../docs/guide/${page}`, import.meta.url), 'utf8');
  return [...text.matchAll(/```sh run\n([\s\S]*?)```/g)].map(([, block = '']) => block);
}

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A reader's machine: a clone of acme/shop, and the commands of the page typed in a shell. */
class Reader implements AsyncDisposable {
  readonly forge: ForgeEmulator;
  readonly folder: string;
  readonly token: string;
  readonly #temp: TempFolder;
  #hall: CommandInProcess | undefined;

  private constructor(forge: ForgeEmulator, token: string, temp: TempFolder) {
    this.forge = forge;
    this.token = token;
    this.folder = temp.path;
    this.#temp = temp;
  }

  static async open(kind: 'github' | 'forgejo', origin: (forge: ForgeEmulator) => string) {
    const temp = tempFolder();
    const forge = await startForgeEmulator({ kind, folder: temp.file('forge'), path: PATH });
    const { control } = forge;
    control.addPerson('ada');
    const token = control.addPerson('hall');
    control.addOrganization('acme');
    await control.addRepository('acme/shop', { files: { 'README.md': 'shop\n' } });
    control.setRole('acme/shop', 'ada', 'write');
    control.setRole('acme/shop', 'hall', 'admin');
    const reader = new Reader(forge, token, temp);
    const clone = `git clone -q ${forge.url}/acme/shop.git shop && git -C shop remote set-url origin ${origin(forge)}`;
    const { code, stderr } = await reader.type(clone);
    assert.equal(code, 0, stderr);
    return reader;
  }

  type(script: string, input = ''): Promise<Ended> {
    const { promise, resolve } = Promise.withResolvers<Ended>();
    const child = execFile(
      '/bin/sh',
      ['-eu', '-c', script],
      { cwd: this.folder, env: this.#environment() },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
    child.stdin?.end(input);
    return promise;
  }

  /** `guildhall start` in the folder that `init` made. */
  async start(): Promise<void> {
    const cwd = join(this.folder, 'shop-hall');
    this.#hall = begun(['start'], { cwd, environment: this.#environment() });
    const hall = this.#hall;
    await until('the hall runs', () => {
      assert.equal(hall.code, undefined, hall.stderr());
      return /"hall started"|hall started/.test(`${hall.stdout()}${hall.stderr()}`);
    });
  }

  config(): string {
    return join(this.folder, 'shop-hall', 'guildhall.yaml');
  }

  #environment(): Record<string, string> {
    const tools = join(this.folder, 'tools');
    mkdirSync(tools, { recursive: true });
    const start = `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`;
    writeFileSync(join(tools, 'guildhall'), start, { mode: 0o755 });
    const { PATH: git } = onlyGit(this.folder);
    const path = [tools, git].join(delimiter);
    const home = { HOME: this.folder, USER: 'ada' };
    return { PATH: path, ...home, GUILDHALL_LISTEN: '127.0.0.1:0', GIT_CONFIG_NOSYSTEM: '1' };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#hall?.signal('SIGTERM');
    await this.#hall?.ended;
    await this.forge.close();
    this.#temp[Symbol.dispose]();
  }
}

function forgesLine(stdout: string): string {
  return (
    /^(ok|warn|fail|skip) +forges[\s\S]*?(?=^(?:ok|warn|fail|skip) )/m.exec(`${stdout}ok  `)?.[0] ??
    stdout
  );
}

describe('the guides that connect a forge', () => {
  it('the commands on the page for Gitea and Forgejo work as written', async () => {
    await using reader = await Reader.open('forgejo', ({ url }) => `${url}/acme/shop.git`);
    writeFileSync(join(reader.folder, 'token.txt'), `${reader.token}\n`);
    const written = blocksOn('connect-gitea-or-forgejo.md');
    const [init = '', add = '', doctor = ''] = written.map((block) =>
      block.replaceAll('https://forge.example', reader.forge.url),
    );
    assert.equal(written.length, 3);
    const made = await reader.type(init);
    assert.match(readFileSync(reader.config(), 'utf8'), /repo: forgejo:acme\/shop/, made.stderr);
    await reader.start();
    const added = await reader.type(add);
    assert.equal(added.code, 0, added.stderr);
    assert.match(added.stdout, /the hall acts there as hall/);
    assert.match(added.stdout, /forgejo:acme\/shop: .*webhook created, a test delivery arrived/);
    const examined = await reader.type(doctor);
    assert.match(forgesLine(examined.stdout), /^ok +forges/, examined.stdout);
  });

  it('the commands on the page for GitHub work as written', async () => {
    await using reader = await Reader.open('github', () => 'git@github.com:acme/shop.git');
    const { forge } = reader;
    const [init = '', add = '', doctor = '', ...more] = blocksOn('connect-github.md');
    assert.deepEqual(more, []);
    await reader.type(init);
    const file = readFileSync(reader.config(), 'utf8');
    assert.match(file, /repo: github:acme\/shop/);
    // GitHub itself is out of reach: the emulator has its place.
    writeFileSync(
      reader.config(),
      file.replace('github: { token', `github: { url: "${forge.url}", token`),
    );
    await reader.start();
    const manifest = { name: 'Hall', url: forge.url, redirect_url: 'http://127.0.0.1:1/created' };
    const body = new URLSearchParams({
      manifest: JSON.stringify({
        ...manifest,
        hook_attributes: { url: forge.url, active: false },
        default_permissions: permissionsOn('connect-github.md'),
      }),
    });
    const page = `${forge.url}/organizations/acme/settings/apps/new`;
    const confirmed = await fetch(page, { method: 'POST', body, redirect: 'manual' });
    const code = new URL(confirmed.headers.get('location') ?? '').searchParams.get('code') ?? '';
    const typed = add.replace('forge add github', `forge add github --url ${forge.url}`);
    const added = await reader.type(typed, `${code}\n`);
    assert.equal(added.code, 0, added.stderr);
    const [, id] = /^ {2}github: .*id: (\d+)/m.exec(readFileSync(reader.config(), 'utf8')) ?? [];
    forge.control.installApp(Number(id), 'acme');
    const examined = await reader.type(doctor);
    const line = forgesLine(examined.stdout);
    assert.match(line, /^warn +forges/, examined.stdout);
    assert.match(line, /issues cannot be assigned/);
    assert.match(line, /push branches \(contents: write\)/);
  });
});

/** The permissions in the table of the page, without the one that is asked for only sometimes. */
function permissionsOn(page: string): Json {
  const text = readFileSync(new URL(`../../docs/guide/${page}`, import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| `(\w+): (\w+)` \| (?!only)/gm)];
  return Object.fromEntries(rows.map(([, name, level]) => [name, level]));
}
