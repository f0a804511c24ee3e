import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import { changedLines, withForge } from './edit-config.ts';
import { codeIn } from './pasted-code.ts';

const ENTRY = { kind: 'gitea', url: 'https://forge.example', token: 'secret:forge-token' };
const LINE = 'forge: { kind: gitea, url: https://forge.example, token: secret:forge-token }';

describe('the entry of a forge in the configuration file', () => {
  for (const [what, before, after] of [
    ['an empty file', '', `forges:\n  ${LINE}\n`],
    ['a file of comments', '# ours\n', `# ours\nforges:\n  ${LINE}\n`],
    [
      'a file without forges',
      'hall: { data: x }   # here\n\n# end',
      `hall: { data: x }   # here\n\n# end\n\nforges:\n  ${LINE}\n`,
    ],
    [
      'a file with other forges',
      'forges:\n    # the usual one\n    github: { token: $T }  # ours\nprojects: []\n',
      `forges:\n    # the usual one\n    ${LINE}\n    github: { token: $T }  # ours\nprojects: []\n`,
    ],
    [
      'a file with an entry of that name',
      'forges:\n  forge: { kind: gitea, url: https://old.example, token: $T }  # ours\n# end\n',
      `forges:\n  ${LINE}  # ours\n# end\n`,
    ],
    [
      'an entry with settings of its own',
      'forges:\n  forge: { kind: gitea, url: https://forge.example, poll: { idle: 5m }, token: secret:old }\n',
      `forges:\n  forge: { kind: gitea, url: https://forge.example, poll: { idle: 5m }, token: secret:forge-token }\n`,
    ],
    [
      'an entry of several lines',
      'forges:\n  forge:\n    kind: gitea # not forgejo\n    url: https://forge.example\n    token: $T # ours\nprojects: []\n',
      'forges:\n  forge:\n    kind: gitea # not forgejo\n    url: https://forge.example\n    token: secret:forge-token # ours\nprojects: []\n',
    ],
    [
      'an entry of several lines without a token',
      'forges:\n  forge:\n    # where it is\n    kind: gitea\n    url: https://forge.example\n',
      'forges:\n  forge:\n    # where it is\n    token: secret:forge-token\n    kind: gitea\n    url: https://forge.example\n',
    ],
  ] as const) {
    test(`${what} keeps everything else as it was written`, () => {
      const edited = withForge(before, 'forge', ENTRY);
      assert.equal(edited, after);
      const { poll: _, ...entry } = parse(edited).forges.forge;
      assert.deepEqual(entry, ENTRY);
      assert.equal(withForge(edited, 'forge', ENTRY), edited, 'again');
    });
  }

  test('a setting that is taken out leaves no line behind', () => {
    const before = 'forges:\n  github:\n    token: $T # old\n    url: https://x.example\n';
    const edited = withForge(before, 'github', {
      token: undefined,
      app: { id: 1, key: 'secret:k' },
    });
    assert.equal(
      edited,
      'forges:\n  github:\n    app: { id: 1, key: secret:k }\n    url: https://x.example\n',
    );
  });

  test('JSON stays valid, with its other values', () => {
    const edited = parse(withForge('{"hall":{"data":"x"}}', 'forge', ENTRY));
    assert.deepEqual(edited, { hall: { data: 'x' }, forges: { forge: ENTRY } });
  });

  test('only the lines that differ are shown', () => {
    assert.equal(changedLines('a\nb\nc\n', 'a\nx\ny\nc\n'), '- b\n+ x\n+ y');
    assert.equal(changedLines('a\n', 'a\n'), '');
  });
});

describe('what a person pastes from GitHub', () => {
  for (const [text, code] of [
    ['abc123', 'abc123'],
    ['http://127.0.0.1:5/created?code=abc&state=mine', 'abc'],
    ['http://127.0.0.1:5/created?code=abc&state=other', undefined],
    ['http://127.0.0.1:5/created?code=abc', undefined],
    ['http://127.0.0.1:5/', undefined],
    ['no code', undefined],
    ['', undefined],
  ] as const) {
    test(`${JSON.stringify(text)} ${code === undefined ? 'brings no code' : `brings the code ${code}`}`, () => {
      assert.equal(codeIn(text, 'mine').code, code);
    });
  }
});
