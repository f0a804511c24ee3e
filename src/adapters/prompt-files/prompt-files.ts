import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PromptFileFailed, type PromptFiles, type SkillFile } from '../../ports/prompt-files.ts';

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/**
 * The folders hold `agents/`, `roster/` and `skills/`; a prompt file in an earlier folder hides those
 * in later ones.
 */
export function openPromptFiles(folders: readonly string[]): PromptFiles {
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

  function readSkill(name: string): SkillFile | null {
    const found = find('skills', name);
    return found && parseSkill(name, found);
  }

  return {
    contract() {
      const found = find('agents', CONTRACT);
      if (!found)
        throw new PromptFileFailed(`agents/${CONTRACT}.md is missing in ${folders.join(', ')}`);
      return found.text;
    },
    persona: (slug) => find('roster', slug)?.text ?? null,
    skill: (name) => readSkill(name)?.text ?? null,
    skills() {
      const names = new Set(folders.flatMap((folder) => namesIn(join(folder, 'skills'))));
      return [...names].sort().flatMap((name) => readSkill(name) ?? []);
    },
  };
}

const CONTRACT = 'automaton_base';

/** Reads a file again only when it has changed. */
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

const FRONT_MATTER = /^---\n([\s\S]*?)\n---\n/;

function parseSkill(name: string, { path, text }: { path: string; text: string }): SkillFile {
  const frontMatter = FRONT_MATTER.exec(text);
  const type = /^type: *(\S+) *$/m.exec(frontMatter?.[1] ?? '')?.[1];
  const writes = /^writes: *(true|false) *$/m.exec(frontMatter?.[1] ?? '')?.[1];
  if (!frontMatter || type === undefined || writes === undefined) {
    throw new PromptFileFailed(
      `${path} must begin with front matter that sets type and writes: ---, type: dev, writes: true, ---`,
    );
  }
  return { name, path, type, writes: writes === 'true', text: text.slice(frontMatter[0].length) };
}
