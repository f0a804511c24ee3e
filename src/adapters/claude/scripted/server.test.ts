import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { readScript, ScriptRefused } from './read-script.ts';
import { type ScriptedModel, startScriptedModel } from './server.ts';

const FIX = `
scenes:
  - name: review
    when: { system: the reviewer, model: opus }
    steps: [{ say: Looks good. }]
  - name: again
    when: { prompt: once more, turns: { at_least: 1 } }
    steps: [{ say: Again then. }]
  - name: fix
    when: { first: fix it }
    find: { file: 'file (\\S+)' }
    steps:
      - think: Hm.
      - say: I look at {{file}}.
      - use:
          - { tool: Read, input: { file_path: "{{file}}" } }
          - { tool: Bash, input: { command: ls } }
      - when_result_matches: 'a - b'
        steps:
          - use: { tool: Edit, input: { deep: [{ name: "{{file}}" }] } }
        otherwise:
          - say: Nothing to do.
          - end
      - expect_result: edited
      - say: Fixed.`;

describe('a scripted model', () => {
  it('a scripted model plays a scene turn by turn', async () => {
    await using model = await startScriptedModel({ script: FIX });
    const messages: object[] = [user('please fix it in file sum.js')];
    const first = await say(model, messages);
    assert.deepEqual(
      first.content.map(({ type }: { type: string }) => type),
      ['thinking', 'text', 'tool_use', 'tool_use'],
    );
    assert.equal(first.stop_reason, 'tool_use');
    assert.deepEqual(first.content[2].input, { file_path: 'sum.js' });
    assert.notEqual(first.content[2].id, first.content[3].id);

    messages.push(answer(first), results(first, 'return a - b'));
    const second = await say(model, messages);
    assert.deepEqual(second.content[0].input, { deep: [{ name: 'sum.js' }] });
    messages.push(answer(second), results(second, 'edited'));
    const third = await say(model, messages);
    assert.deepEqual([third.content[0].text, third.stop_reason], ['Fixed.', 'end_turn']);
    messages.push(answer(third), user('once more'));
    assert.equal((await say(model, messages)).content[0].text, 'Again then.');
  });

  it('a scripted model branches on tool results, and its error names the result it expected', async () => {
    await using model = await startScriptedModel({ script: FIX });
    const messages: object[] = [user('please fix it in file sum.js')];
    const first = await say(model, messages);
    const fine = [...messages, answer(first), results(first, 'return a + b')];
    assert.equal((await say(model, fine)).content[0].text, 'Nothing to do.');
    messages.push(answer(first), results(first, 'a - b'));
    const second = await say(model, messages);
    messages.push(answer(second), results(second, 'no such file'));
    const { status, body } = await ask(model, { messages });
    assert.equal(status, 400);
    assert.match(body.error.message, /scene "fix" expects .*edited.* but got: no such file/);
  });

  it('a scripted model answers the same request the same way each time', async () => {
    await using model = await startScriptedModel({ script: FIX });
    const messages = [user('fix it in file a')];
    const [one, two] = [await say(model, messages), await say(model, messages)];
    assert.deepEqual(one, two);
  });

  it('a scripted model streams the same response that it sends in one piece', async () => {
    await using model = await startScriptedModel({ script: FIX });
    const messages = [user('fix it in file a')];
    const complete = await say(model, messages);
    const { text, headers } = await ask(model, { messages, stream: true });
    const events = text
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice(6)));
    const pieces = events
      .filter(({ index, delta }) => index === 2 && delta)
      .map(({ delta }) => delta.partial_json);
    assert.deepEqual(JSON.parse(pieces.join('')), complete.content[2].input);
    assert.equal(events.at(-2).usage.output_tokens, complete.usage.output_tokens);
    assert.equal(events.at(-1).type, 'message_stop');
    assert.equal(headers.get('anthropic-ratelimit-requests-limit'), '4000');
  });

  it('a scripted model chooses a scene by system prompt and model, and reports a request without a scene', async () => {
    await using model = await startScriptedModel({ script: FIX });
    const more = {
      system: [{ type: 'text', text: 'You are the reviewer.' }],
      model: 'claude-opus-4-7',
    };
    const { body } = await ask(model, { messages: [user('x')], ...more });
    assert.equal(body.content[0].text, 'Looks good.');
    const none = await ask(model, { messages: [user('hello')] });
    assert.equal(none.status, 400);
    assert.match(
      none.body.error.message,
      /no scene of the script matches model .* prompt "hello": "review" needs/,
    );
    assert.deepEqual(
      model.requests.map(({ scene, status }) => [scene, status]),
      [
        ['review', 200],
        [null, 400],
      ],
    );
  });

  it('a scripted model injects failures and dropped connections as often as the script says', async () => {
    await using model = await startScriptedModel({
      script: `
        scenes:
          - name: storm
            steps:
              - fail: { status: 429, headers: { retry-after: '7', x-reset: '+60s', x-epoch: '@60s' }, times: 2 }
              - overloaded: {}
              - drop: { after: 2 }
              - wait: 5ms
              - usage: { input: 11, output: 22, cache_read: 33, cache_write: 44 }
              - say: Here.`,
    });
    const call = { messages: [user('x')], stream: true };
    const sentAt = Date.now();
    const first = await ask(model, call);
    const answeredAt = Date.now();
    assert.deepEqual([first.status, first.headers.get('retry-after')], [429, '7']);
    const baseTime = Date.parse(first.headers.get('x-reset') ?? '') - 60_000;
    assert.ok(baseTime >= sentAt - 1_000 && baseTime <= answeredAt, `${baseTime}`);
    assert.match(first.headers.get('x-epoch') ?? '', /^\d{10}$/);
    assert.equal((await ask(model, call)).status, 429);
    assert.equal((await ask(model, call)).status, 529);
    await assert.rejects(ask(model, call));
    const { usage } = await say(model, call.messages);
    assert.deepEqual(
      [
        usage.input_tokens,
        usage.output_tokens,
        usage.cache_read_input_tokens,
        usage.cache_creation_input_tokens,
      ],
      [11, 22, 33, 44],
    );
  });

  it('a scripted model counts tokens and answers a liveness probe', async () => {
    await using model = await startScriptedModel({ script: FIX });
    const { body } = await ask(
      model,
      { messages: [user('x'.repeat(400))] },
      '/v1/messages/count_tokens',
    );
    assert.ok(body.input_tokens >= 100);
    assert.equal((await fetch(`${model.url}/api/hello`, { method: 'HEAD' })).status, 200);
    assert.equal((await ask(model, { messages: [user('x')] }, '/v1/files')).status, 404);
  });
});

describe('a script', () => {
  it('a script with mistakes is refused with the line of each of them', () => {
    const script = `scenes:
  - name: ''
    when: { sistem: x }
    steps:
      - sayy: hello
      - use: { tool: Bash, inputs: {} }
      - wait: long
      - when_result_matches: '('
        steps: [{ say: 7 }]
      - fail: { status: 200 }
`;
    assert.throws(
      () => readScript(script, 'a.yaml'),
      (error) => {
        assert.ok(error instanceof ScriptRefused);
        const lines = error.message.split('\n').map((line) => /^a\.yaml:(\d+): (\S+)/.exec(line));
        assert.deepEqual(
          lines.map((line) => [Number(line?.[1]), line?.[2]]),
          [
            [2, 'scenes[0].name'],
            [3, 'scenes[0].when'],
            [5, 'scenes[0].steps[0]'],
            [6, 'scenes[0].steps[1].use'],
            [7, 'scenes[0].steps[2].wait'],
            [8, 'scenes[0].steps[3].when_result_matches'],
            [9, 'scenes[0].steps[3].steps[0].say'],
            [10, 'scenes[0].steps[4].fail.status'],
          ],
        );
        return true;
      },
    );
    assert.throws(() => readScript('scenes: [', 'a.yaml'), /a\.yaml:1/);
    assert.throws(() => readScript('[]', 'a.yaml'), /a\.yaml:1: the script/);
  });

  it('the script in the reference page is valid', () => {
    const page = readFileSync(
      new URL('../../../../docs/reference/script.md', import.meta.url),
      'utf8',
    );
    const [, yaml = ''] = /```yaml\n([\s\S]+?)```/.exec(page) ?? [];
    assert.equal(readScript(yaml).scenes[0]?.name, 'mend the sum');
  });
});

// biome-ignore lint/suspicious/noExplicitAny: answers have every shape.
type ResponseBody = any;

async function ask(model: ScriptedModel, request: object, path = '/v1/messages?beta=true') {
  const body = { model: 'claude-sonnet-4-6', max_tokens: 10, ...request };
  const response = await fetch(`${model.url}${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type') === 'application/json';
  const parsed: ResponseBody = isJson ? JSON.parse(text) : undefined;
  return { status: response.status, headers: response.headers, text, body: parsed };
}

async function say(model: ScriptedModel, messages: readonly object[]): Promise<ResponseBody> {
  const { status, body } = await ask(model, { messages });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

function user(content: string): object {
  return { role: 'user', content };
}

function answer({ content }: ResponseBody): object {
  return { role: 'assistant', content };
}

/** What the program sends back: a result for each call, and its own reminder. */
function results({ content }: ResponseBody, text: string): object {
  const calls = content.filter(({ type }: { type: string }) => type === 'tool_use');
  const answers = calls.map(({ id }: { id: string }) => ({
    type: 'tool_result',
    tool_use_id: id,
    content: [{ type: 'text', text }],
  }));
  const reminder = { type: 'text', text: '<system-reminder>Be good.</system-reminder>' };
  return { role: 'user', content: [...answers, reminder] };
}
