import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import {
  type ForgeEmulator,
  startForgeEmulator,
} from '../../src/adapters/forge-emulator/emulator.ts';
import { PATH } from '../support/git-fixture.ts';
import { HallFixture, type Json, until } from '../support/hall-fixture.ts';
import { HallInProcess } from '../support/hall-in-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { guildhall, onlyGit } from './cli-command.ts';

const REPO = 'acme/shop';

/** A forge with the repository acme/shop, of which the account hall is an administrator, and a hall beside it. */
class Connected implements AsyncDisposable {
  readonly forge: ForgeEmulator;
  readonly hall: HallInProcess;
  readonly token: string;
  readonly #folder: ReturnType<typeof tempFolder>;

  private constructor(
    parts: Pick<Connected, 'forge' | 'hall' | 'token'>,
    folder: ReturnType<typeof tempFolder>,
  ) {
    this.forge = parts.forge;
    this.hall = parts.hall;
    this.token = parts.token;
    this.#folder = folder;
  }

  static async open(kind: 'github' | 'gitea' | 'forgejo'): Promise<Connected> {
    const folder = tempFolder();
    const forge = await startForgeEmulator({ kind, folder: folder.file('forge'), path: PATH });
    const { control } = forge;
    control.addPerson('ada');
    const token = control.addPerson('hall');
    control.addOrganization('acme');
    await control.addRepository(REPO, { files: { 'README.md': 'shop\n' } });
    control.setRole(REPO, 'ada', 'write');
    control.setRole(REPO, 'hall', 'admin');
    const hall = await HallInProcess.start();
    return new Connected({ forge, hall, token }, folder);
  }

  run(args: readonly string[], input = '') {
    const environment = onlyGit(this.hall.folder);
    return guildhall([...args, '--config', this.hall.config], {
      ...{ cwd: this.hall.folder, input, environment },
    });
  }

  async json(args: readonly string[], input = ''): Promise<Json> {
    const { stdout, stderr } = await this.run([...args, '--json'], input);
    assert.notEqual(stdout, '', stderr);
    return JSON.parse(stdout);
  }

  file(): string {
    return readFileSync(this.hall.config, 'utf8');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.hall[Symbol.asyncDispose]();
    await this.forge.close();
    this.#folder[Symbol.dispose]();
  }
}

describe('forge add forgejo', () => {
  let at: Connected;
  before(async () => {
    at = await Connected.open('forgejo');
  });
  after(() => at[Symbol.asyncDispose]());

  it('connects', async () => {
    const { code, stdout, stderr } = await at.run(
      ['forge', 'add', 'forgejo', '--url', at.forge.url],
      at.token,
    );
    console.log(code, stdout, stderr, at.file());
    void until;
    void HallFixture;
  });
});
