import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SENSITIVE_NAMES } from './sensitive-names.ts';
import { sensitivePath } from './sensitive-paths.ts';

describe('sensitive names', () => {
  it('each name in the list is found at the root, and in a folder unless it counts only at the root', () => {
    const names = Object.values(SENSITIVE_NAMES).flatMap((readers) =>
      Object.values(readers).join(' ').split(' '),
    );
    for (const name of names.map((each) => each.replaceAll('*', 'x'))) {
      const isAtRoot = name.startsWith('/');
      const path = name.replace('/', isAtRoot ? '' : '/');
      assert.ok(sensitivePath(path), path);
      assert.equal(sensitivePath(`deep/er/${path}`) === undefined, isAtRoot, `deep/er/${path}`);
    }
    assert.ok(names.length > 200, `${names.length} names`);
  });

  it('a name is found as a file, as a folder, and in place of a folder above it', () => {
    for (const path of [
      '.claude',
      '.claude/settings.json',
      '.envrc',
      '.envrc/x',
      '.github',
      '.github/workflows',
      '.github/workflows/ci.yml',
      'app/gradle',
      'app/gradle/wrapper/gradle-wrapper.jar',
      'x/.config',
      'docs',
    ]) {
      assert.equal(sensitivePath(path)?.blocks, true, path);
    }
  });

  it('a name is found in every spelling that some file system treats alike', () => {
    for (const path of [
      '.GitHub/WORKFLOWS/a.yml',
      '.claude./x',
      '.v\u017Fcode/x',
      '.en\u034Fvrc ',
    ]) {
      assert.equal(sensitivePath(path)?.blocks, true, JSON.stringify(path));
    }
  });

  it('names that only look like sensitive ones, and what forges show to people, are not found', () => {
    for (const path of [
      'src/claude.ts',
      'docs/agents/readme.md',
      'docs/guide.md',
      'src/owners/list.ts',
      'locales/en/auth.json',
      '.env.example',
      'environment.md',
      'gradle/libs.versions.toml',
      'src/.github/x',
      '.github/ISSUE_TEMPLATE/bug.yml',
      '.github/pull_request_template.md',
      '.github/FUNDING.yml',
      '.config/app.toml',
    ]) {
      assert.equal(sensitivePath(path), undefined, path);
    }
  });

  it('a path that a link shows under a sensitive name is judged by that name', () => {
    const found = sensitivePath('config/agent/settings.json', ['.claude/settings.json']);
    assert.equal(found?.kind, 'agent_settings');
    assert.match(found?.because ?? '', /^is linked as \.claude\/settings\.json, which instructs/);
    assert.equal(sensitivePath('go.sum', ['.envrc'])?.blocks, true);
  });
});
