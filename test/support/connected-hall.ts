import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import type { ForgeKind } from '../../src/adapters/forge-emulator/emulator.ts';
import {
  type ForgeEmulator,
  startForgeEmulator,
} from '../../src/adapters/forge-emulator/emulator.ts';
import { guildhall, onlyGit } from '../acceptance/cli-command.ts';
import { PATH } from './git-fixture.ts';
import { githubFaults } from './github-contract.ts';
import { HallFixture, type Json } from './hall-fixture.ts';
import { HallInProcess } from './hall-in-process.ts';
import { type TempFolder, tempFolder } from './temp-folder.ts';

export const SHOP = 'acme/shop';
export const DEPOT = 'acme/depot';

/**
 * A hall and an emulated forge with two repositories of the organisation acme. The account `hall` is their
 * administrator, ada and eve may write, and ada is in the team core.
 */
export class ConnectedHall implements AsyncDisposable {
  readonly forge: ForgeEmulator;
  readonly hall: HallInProcess;
  /** Of the account `hall`. */
  readonly token: string;
  readonly #folder: TempFolder;
  readonly #faults: readonly string[];
  readonly #kind: ForgeKind;

  private constructor(
    parts: Pick<ConnectedHall, 'forge' | 'hall' | 'token'>,
    { folder, faults, kind }: { folder: TempFolder; faults: readonly string[]; kind: ForgeKind },
  ) {
    this.forge = parts.forge;
    this.hall = parts.hall;
    this.token = parts.token;
    this.#folder = folder;
    this.#faults = faults;
    this.#kind = kind;
  }

  /** The text of the configuration file gets `{data}`, `{listen}` and `{forge}` filled in. */
  static async open(kind: ForgeKind, config: string): Promise<ConnectedHall> {
    const folder = tempFolder();
    const faults: string[] = [];
    const forge = await startForgeEmulator({
      ...{ kind, folder: folder.file('forge'), path: PATH },
      onExchange: (exchange) => {
        if (kind === 'github') faults.push(...githubFaults(exchange));
      },
    });
    const { control } = forge;
    control.addPerson('ada');
    const token = control.addPerson('hall');
    control.addPerson('eve');
    control.addOrganization('acme');
    control.addTeam('acme', 'core', ['ada']);
    control.addTeam('acme', 'bots', ['hall']);
    for (const repo of [SHOP, DEPOT]) {
      await control.addRepository(repo, { files: { 'README.md': 'tea\n' } });
      for (const login of ['ada', 'eve']) control.setRole(repo, login, 'write');
      control.setRole(repo, 'hall', 'admin');
    }
    const hall = await HallInProcess.create();
    const { hall: settings } = JSON.parse(readFileSync(hall.config, 'utf8'));
    const text = config
      .replaceAll('{data}', settings.data)
      .replaceAll('{listen}', settings.listen)
      .replaceAll('{forge}', forge.url);
    writeFileSync(hall.config, text);
    await hall.start();
    return new ConnectedHall({ forge, hall, token }, { folder, faults, kind });
  }

  run(args: readonly string[], input = '') {
    const environment = onlyGit(this.hall.folder);
    const typed = [...args, '--config', this.hall.config];
    return guildhall(typed, { cwd: this.hall.folder, input, environment });
  }

  async json(args: readonly string[], input = ''): Promise<Json> {
    const { stdout, stderr } = await this.run([...args, '--json'], input);
    assert.notEqual(stdout, '', stderr);
    return JSON.parse(stdout);
  }

  /** What doctor says about forges. */
  async examined(): Promise<Json> {
    const { findings } = await this.json(['doctor']);
    return findings.find(({ name }: Json) => name === 'forges');
  }

  file(): string {
    return readFileSync(this.hall.config, 'utf8');
  }

  async health(): Promise<Json> {
    using fixture = new HallFixture(this.hall);
    const { components } = await fixture.get('/v1/health');
    return components.find(({ name }: Json) => name === 'forges');
  }

  /** With the token of the hall's account. */
  async ask(path: string, method = 'GET', body?: object): Promise<Json> {
    const response = await fetch(`${this.forge.apiUrl}${path}`, {
      method,
      headers: { authorization: `token ${this.token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return response.status === 204 ? null : ((await response.json()) as Json);
  }

  async labels(repo = SHOP): Promise<readonly Json[]> {
    return (await this.ask(
      `/repos/${repo}/labels?${this.#kind === 'github' ? 'per_page=100' : 'limit=50'}`,
    )) as Json[];
  }

  async hooks(): Promise<readonly Json[]> {
    return (await this.ask(`/repos/${SHOP}/hooks`)) as Json[];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.hall[Symbol.asyncDispose]();
    await this.forge.close();
    this.#folder[Symbol.dispose]();
    if (this.#faults.length > 0) throw new Error([...new Set(this.#faults)].join('\n'));
  }
}

/** A file as a person writes it, with comments and spaces of its own. */
export const COMMENTED_FILE = `# The hall of acme.
hall: { data: {data}, listen: "{listen}" }   # on this machine

projects:
  - name: shop        # sells tea
`;
