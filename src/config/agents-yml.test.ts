import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { catalogStamp } from './agents-yml.ts';
import { loadConfig } from './load.ts';
import { ConfigRefused, spellMistake } from './mistake.ts';
import { PRODUCT_FOLDER } from './product-folder.ts';

const folder = tempFolder();
after(() => folder[Symbol.dispose]());
let count = 0;

/** A folder with these files, by their paths. */
function folderWith(files: Readonly<Record<string, string>>): string {
  count += 1;
  const cwd = folder.file(String(count));
  mkdirSync(join(cwd, 'roster'), { recursive: true });
  for (const [path, text] of Object.entries(files)) writeFileSync(join(cwd, path), text);
  return cwd;
}

function load(agents: string, files: Readonly<Record<string, string>> = {}) {
  const cwd = folderWith({ 'agents.yml': agents, ...files });
  return loadConfig({ flags: {}, environment: {}, cwd, part: 'all' });
}

function mistakesIn(agents: string, files?: Readonly<Record<string, string>>): readonly string[] {
  const { catalogMistakes, declaration } = load(agents, files);
  assert.equal(declaration.personas, null);
  return catalogMistakes.map(spellMistake);
}

const FILES = { 'roster/ophelia.md': '# Ophelia\n', 'roster/dev.md': '# Dev\n' };

describe('the catalog of personas', () => {
  it('the catalog of the product has an entry for each of its persona files, and no mistakes', () => {
    const { declaration, warnings, catalogMistakes } = load('agents: {}\n');
    const files = readdirSync(join(PRODUCT_FOLDER, 'roster'));
    assert.deepEqual(declaration.personas?.map(({ name }) => `${name}.md`).sort(), files.sort());
    assert.deepEqual([warnings, catalogMistakes], [[], []]);
  });

  it('entries of the operator come before those of the product, each with its line', () => {
    const { declaration } = load(
      'agents:\n  ophelia: { model: claude-haiku-4-5, max_turns: 7 }\n  hamlet: { domains: [css] }\n',
      FILES,
    );
    const personas = declaration.personas ?? assert.fail('it was refused');
    assert.deepEqual(
      personas.map(({ name, declared }) => [name, declared]),
      [
        ['ophelia', { file: 'agents.yml', line: 2 }],
        ['hamlet', { file: 'agents.yml', line: 3 }],
        ['old-major', null],
        ['portia', null],
      ],
    );
    const [ophelia, hamlet] = personas.map(({ settings }) => settings);
    assert.deepEqual(
      [ophelia?.type, ophelia?.model, ophelia?.maxTurns, ophelia?.allowedTools],
      ['dev', 'claude-haiku-4-5', 7, null],
    );
    assert.deepEqual([hamlet?.domains, hamlet?.scopeSummary], [['css'], null]);
  });

  it('a persona of the product whose type there is not is left out', () => {
    const types =
      'types: { dev: { git: { name: a, email: a@example.org }, model: claude-sonnet-4-6 } }\n';
    const { declaration } = load('', { 'guildhall.yaml': types });
    assert.deepEqual(
      declaration.personas?.map(({ name }) => name),
      ['hamlet'],
    );
  });

  it('every mistake is found at once, with its line, its path and the nearest known word', () => {
    const agents = `agents:
  ophelia:
    typ: dev
    type: devv
    max_turns: 0
    allowed_tools: [Red, mcp__fetch__get, mcp__web__get]
    mcp_servers:
      fetch: { command: [fetch] }
      hall: { command: [x], url: "https://a.example" }
      web2: { url: "http://a.example" }
      web3: { url: "https://me:secret@a.example" }
  queued: {}
  laertes: {}
  Polonius: {}
`;
    assert.deepEqual(mistakesIn(agents, FILES), [
      'agents.yml:3:5 agents.ophelia.typ: is not a known key (did you mean type?)',
      'agents.yml:4:11 agents.ophelia.type: there is no type devv (did you mean dev?)',
      'agents.yml:5:16 agents.ophelia.max_turns: must be at least 1',
      'agents.yml:6:21 agents.ophelia.allowed_tools[0]: is not a tool of this agent (did you mean Read?)',
      'agents.yml:6:43 agents.ophelia.allowed_tools[2]: is not a tool of this agent (did you mean mcp__web2?)',
      "agents.yml:9:7 agents.ophelia.mcp_servers.hall: is the name of the hall's own tools; choose another",
      'agents.yml:9:13 agents.ophelia.mcp_servers.hall: needs a command or a url',
      'agents.yml:10:20 agents.ophelia.mcp_servers.web2.url: must be an https address',
      'agents.yml:11:20 agents.ophelia.mcp_servers.web3.url: must not contain a user or a password',
      'agents.yml:12:3 agents.queued: hall:queued is a label of the hall itself, so no agent can have this name',
      'agents.yml:13:3 agents.laertes: has no persona file: write roster/laertes.md, which says who it is',
      'agents.yml:14:3 agents.Polonius: must be lower-case words joined by "-", such as old-major',
      'agents.yml:14:3 agents.Polonius: has no persona file: write roster/Polonius.md, which says who it is',
    ]);
  });

  it('a catalog without entries is the one of the product', () => {
    assert.equal(load('agents:\n').declaration.personas?.length, 3);
    assert.equal(load('').declaration.personas?.length, 3);
  });

  it('a file that is not YAML has one mistake, and mistakes of both files are reported together', () => {
    assert.match(mistakesIn('agents: [\n')[0] ?? '', /^agents\.yml:\d+:\d+ is not valid YAML/);
    assert.throws(
      () => load('agent: {}\n', { 'guildhall.yaml': 'project: []\n' }),
      (error) => {
        assert.ok(error instanceof ConfigRefused);
        assert.deepEqual(error.mistakes.map(spellMistake), [
          'guildhall.yaml:1:1 project: is not a known key (did you mean projects?)',
          'agents.yml:1:1 agent: is not a known key (did you mean agents?)',
        ]);
        return true;
      },
    );
  });

  it('names that mean something else, and settings without effect, are warned about', () => {
    const config = `types:
  boss: { git: { name: a, email: a@example.org }, model: m, persona: ophelia }
  dev: { git: { name: a, email: a@example.org }, model: m, persona: nobody }
  reviewer: { git: { name: a, email: a@example.org }, model: m, command: [review] }
projects: [{ name: shop, network: [docs.example] }]
`;
    const agents = `agents:
  ophelia:
    allowed_tools: [mcp__docs]
    mcp_servers: { docs: { url: "https://docs.example/mcp" }, far: { url: "https://far.example" } }
  dev: { type: reviewer, max_turns: 3 }
  dev-default: {}
`;
    const files = { ...FILES, 'roster/dev-default.md': 'x', 'roster/yorick.md': 'x' };
    const { warnings } = load(agents, { 'guildhall.yaml': config, ...files });
    assert.deepEqual(
      warnings.filter((warning) => !warning.startsWith('types.reviewer.command')),
      [
        'agents.yml:2 agents.ophelia: allowed_tools lists neither Bash nor a tool for files, so it can read and write none',
        'agents.yml:2 agents.ophelia: no project allows far.example, so its MCP server far cannot be reached',
        'agents.yml:5 agents.dev: dev is also an agent type; as the agent of a task it means the persona',
        'agents.yml:5 agents.dev: max_turns has no effect: agents of type reviewer are a command',
        'agents.yml:6 agents.dev-default: dev-default is also an instance, and the name means the instance',
        'types.boss.persona: ophelia is of type dev, which continues the threads that it starts',
        'types.dev.persona: there is no roster/nobody.md',
        'roster/yorick.md has no entry in agents.yml, so no task can ask for yorick',
      ],
    );
  });

  it('the stamp changes with the file and with the persona files that there are', () => {
    const cwd = folderWith({});
    const stamps = [catalogStamp(cwd)];
    writeFileSync(join(cwd, 'agents.yml'), 'agents: {}\n');
    stamps.push(catalogStamp(cwd));
    writeFileSync(join(cwd, 'agents.yml'), 'agents: { }\n');
    stamps.push(catalogStamp(cwd));
    assert.equal(new Set(stamps).size, 3);
  });
});
