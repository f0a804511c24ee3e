import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SheetFailed, type Sheets, type SkillSheet } from '../../ports/sheets.ts';

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** The folders hold `agents/`, `roster/` and `skills/`; a sheet of an earlier one hides those of later ones. */
export function openSheets(folders: readonly string[]): Sheets {
  const read = createReader();

  function find(
    kind: string,
    name: string,
  ): { readonly path: string; readonly text: string } | null {
    if (!SLUG.test(name) && name !== CONTRACT) return null;
    for (const folder of folders) {
      const path = join(folder, kind, `${name}.md`);
      const text = read(path);
      if (text !== null) return { path, text };
    }
    return null;
  }

  function skillNamed(name: string): SkillSheet | null {
    const found = find('skills', name);
    return found && skillIn(name, found);
  }

  return {
    contract() {
      const found = find('agents', CONTRACT);
      if (!found)
        throw new SheetFailed(`agents/${CONTRACT}.md is in none of ${folders.join(', ')}`);
      return found.text;
    },
    persona: (slug) => find('roster', slug)?.text ?? null,
    skill: (name) => skillNamed(name)?.text ?? null,
    skills() {
      const names = new Set(folders.flatMap((folder) => namesIn(join(folder, 'skills'))));
      return [...names].sort().flatMap((name) => skillNamed(name) ?? []);
    },
  };
}

const CONTRACT = 'automaton_base';

/** Reads a file once for each time it changed. */
function createReader() {
  const known = new Map<string, { readonly stamp: string; readonly text: string }>();
  return (path: string): string | null => {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat?.isFile()) return null;
    const stamp = `${stat.mtimeMs} ${stat.size} ${stat.ino}`;
    const before = known.get(path);
    if (before?.stamp === stamp) return before.text;
    const text = readFileSync(path, 'utf8');
    known.set(path, { stamp, text });
    return text;
  };
}

function namesIn(folder: string): string[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder).flatMap((file) => {
    const name = /^(.+)\.md$/.exec(file)?.[1];
    return name !== undefined && SLUG.test(name) ? [name] : [];
  });
}

const HEAD = /^---\n([\s\S]*?)\n---\n/;

function skillIn(name: string, { path, text }: { path: string; text: string }): SkillSheet {
  const head = HEAD.exec(text);
  const type = /^type: *(\S+) *$/m.exec(head?.[1] ?? '')?.[1];
  const writes = /^writes: *(true|false) *$/m.exec(head?.[1] ?? '')?.[1];
  if (!head || type === undefined || writes === undefined) {
    throw new SheetFailed(
      `${path} must begin with a head that names its type and whether it writes: ---, type: dev, writes: true, ---`,
    );
  }
  return { name, path, type, writes: writes === 'true', text: text.slice(head[0].length) };
}
