import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { KNOWN_SKILLS } from '../domain/skill.ts';
import type { HallTool } from '../ports/agent.ts';
import { MAX_CHARACTERS, MAX_TEXTS, mistakesIn } from './check-tool-input.ts';
import { hallToolsFor } from './hall-tools.ts';

const DOCS = join(import.meta.dirname, '../../docs/reference');
const PAGE = join(DOCS, 'hall-tools.md');

const INTRODUCTION = `# The hall's tools

These are the tools through which an agent talks to the hall. An agent on the Claude Agent SDK calls them as \`mcp__hall__<tool>\`; [a command
agent](command-agents.md) writes the same input to its result file. \`report\`, \`reject\` and \`ask\` end the run.

A string may have at most ${MAX_CHARACTERS} characters, and a list at most ${MAX_TEXTS} entries. Input that has an unlisted parameter or
lacks a required one is refused, and all mistakes are reported at once.

This page is compared with the program by \`src/worker/hall-tools-page.test.ts\`, which rewrites it when run with \`--update\`.
`;

/** Every form of a tool, with the skills that have it. */
function formsOf(): ReadonlyMap<string, { readonly tool: HallTool; readonly skills: string[] }> {
  const forms = new Map<string, { readonly tool: HallTool; readonly skills: string[] }>();
  for (const skill of KNOWN_SKILLS) {
    for (const tool of hallToolsFor(skill)) {
      const form = JSON.stringify(tool);
      const known = forms.get(form) ?? { tool, skills: [] };
      known.skills.push(skill);
      forms.set(form, known);
    }
  }
  return forms;
}

function pageOf(): string {
  const sections = [...formsOf().values()]
    .toSorted((a, b) => ORDER.indexOf(a.tool.name) - ORDER.indexOf(b.tool.name))
    .map(({ tool, skills }) => sectionOf(tool, skills));
  return [INTRODUCTION, ...sections].join('\n');
}

const ORDER = ['report', 'reject', 'ask', 'note', 'progress', 'propose_child'];

function sectionOf({ name, description, parameters }: HallTool, skills: readonly string[]): string {
  const { properties, required } = parameters as {
    readonly properties: Readonly<Record<string, Property>>;
    readonly required: readonly string[];
  };
  const isEverywhere = skills.length === KNOWN_SKILLS.length;
  const where = isEverywhere ? '' : ` of ${skills.join(', ')}`;
  const rows = Object.entries(properties).map(
    ([key, property]) =>
      `| \`${key}\` | ${required.includes(key) ? 'yes' : 'no'} | ${meaningOf(property)} |`,
  );
  const head = '| parameter | required | |\n| --- | --- | --- |';
  return [`## \`${name}\`${where}`, '', description, '', head, ...rows, ''].join('\n');
}

interface Property {
  readonly type: 'string' | 'array';
  readonly description?: string;
  readonly enum?: readonly string[];
}

function meaningOf({ type, description, enum: choices }: Property): string {
  if (choices) return `one of ${choices.map((word) => `\`${word}\``).join(', ')}`;
  const what = (description ?? '').replace(/^./, (first) => first.toLowerCase());
  return type === 'array' ? `a list of strings: ${what}` : what;
}

if (process.argv.includes('--update')) writeFileSync(PAGE, pageOf());

describe("the reference page of the hall's tools", () => {
  it('the page of hall tools lists every tool with its parameters, and nothing else', () => {
    assert.equal(readFileSync(PAGE, 'utf8'), pageOf());
  });

  it('the example inputs on the page of command agents are valid', () => {
    const page = readFileSync(join(DOCS, 'command-agents.md'), 'utf8');
    const shown = [...page.matchAll(/```json\n(.+?)```/gs)].map(([, text = '']) =>
      JSON.parse(text),
    );
    const uses = shown.flatMap((result) => result.uses ?? [{ tool: 'report', input: result }]);
    assert.ok(uses.length >= 2);
    for (const { tool, input } of uses) {
      const known = hallToolsFor('implement').find(({ name }) => name === tool);
      assert.deepEqual(mistakesIn(known?.parameters ?? {}, input).mistakes, [], tool);
    }
  });
});
