import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { CALL } from '../support/gateway-fixture.ts';
import { until } from '../support/hall-fixture.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { begun, guildhall } from './cli-command.ts';

describe('guildhall model play', () => {
  it('model play answers model calls from a script until SIGTERM', async () => {
    using folder = tempFolder();
    writeFileSync(folder.file('story.yaml'), 'scenes: [{ name: hi, steps: [{ say: Hi. }] }]');
    const playing = begun(['model', 'play', 'story.yaml', '--json'], { cwd: folder.path });
    const line = await until('it says where it is', () => playing.stdout() || undefined);
    const { url } = JSON.parse(line);
    const answer = await fetch(`${url}/v1/messages`, {
      method: 'POST',
      body: JSON.stringify(CALL),
    });
    assert.match(await answer.text(), /"text":"Hi\."/);
    playing.signal('SIGTERM');
    assert.equal(await playing.ended, 0);
  });

  it('model play lists all mistakes of a script, each with its line', async () => {
    using folder = tempFolder();
    writeFileSync(
      folder.file('bad.yaml'),
      'scenes:\n  - name: a\n    steps: [{ sayy: x }]\n  - steps: 7\n',
    );
    const { code, stderr } = await guildhall(['model', 'play', 'bad.yaml'], { cwd: folder.path });
    assert.equal(code, 1);
    assert.match(
      stderr,
      /bad\.yaml:3: scenes\[0\]\.steps\[0\] is not a step; the steps are say, think/,
    );
    assert.match(stderr, /bad\.yaml:4: scenes\[1\]\.name/);
  });
});
