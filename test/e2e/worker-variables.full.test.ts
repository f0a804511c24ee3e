import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { rootCertificates } from 'node:tls';
import { buildOrSayWhy, KINDS } from '../support/cell-kinds.ts';
import { until } from '../support/hall-fixture.ts';
import { ifExists } from '../support/if-exists.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { DEV, WorkersFixture } from '../support/worker-fixture.ts';

const KEY = 'the-key-that-only-this-agent-has';

/** Prints the key, which is in one piece neither here nor in the configuration. */
const LEAKY = `printf ${KEY.slice(0, 9)}; echo ${KEY.slice(9)}; exit 1`;

/** Asks the proxy of the cell for a host, and prints the status. */
const ASK = `const { hostname, port } = new URL(process.env.HTTPS_PROXY);
  require('http').request({ hostname, port, method: 'CONNECT', path: process.argv[1] })
    .on('connect', ({ statusCode }) => { console.log(process.argv[1], statusCode); process.exit(); }).end();`;

/** An agent that shows what it got, and leaks its key into a file if the task says so. */
function agent(reached: string): string {
  return [
    'cat > /tmp/prompt',
    'echo "agent: $FROM_PROJECT $FROM_TYPE $BOTH key=$LLM_API_KEY gateway=$ANTHROPIC_BASE_URL"',
    'grep -c BEGIN "$SSL_CERT_FILE"',
    `node -e "$ASK" ${reached}`,
    `node -e "$ASK" other.example.org:443`,
    'echo done > done.txt',
    'if grep -q Leak /tmp/prompt; then echo "$LLM_API_KEY" > leak.txt; fi',
    `echo "{\\"outcome\\":\\"pr_created\\",\\"summary\\":\\"used $LLM_API_KEY\\"}" > "$GUILDHALL_RESULT"`,
  ].join('; ');
}

const missing = await buildOrSayWhy(KINDS.sandbox);
const skip = 'missing' in missing ? missing.missing : false;

describe('variables of projects and types in a run', { skip }, () => {
  it('GH-063b: a command agent without an invoker gets env and secret_env, reaches the hosts that both lists allow, and its secret is kept nowhere', async () => {
    using folder = tempFolder();
    writeFileSync(folder.file('company.pem'), `${rootCertificates[0]}\n`);
    await using host = await listening();
    await using stage = await WorkersFixture.open({
      script: '- end',
      invokers: [],
      env: { AGENT_KEY: KEY },
      type: {
        ...DEV,
        command: ['sh', '-c', agent(host.address)],
        needs_model: false,
        network: [host.address, 'llm.example.org'],
        env: { FROM_TYPE: 'type', BOTH: 'type', ASK },
        secret_env: { LLM_API_KEY: '$AGENT_KEY' },
      },
      project: {
        network: [host.address, '*.example.org'],
        env: {
          FROM_PROJECT: 'project',
          BOTH: 'project',
          SSL_CERT_FILE: folder.file('company.pem'),
        },
        setup: ['echo "setup: $FROM_PROJECT $FROM_TYPE key=$LLM_API_KEY"'],
        max_retries: 0,
        checks: [
          { name: 'leaky', run: LEAKY },
          {
            name: 'variables',
            run: 'echo "$FROM_PROJECT$FROM_TYPE"; test "$FROM_PROJECT$FROM_TYPE" = project',
          },
        ],
      },
    });
    const task = await stage.post();
    const { summary } = await stage.reaches(task, 'completed');
    assert.equal(summary, 'used [redacted]');
    const transcript = await stage.transcript(task);
    assert.match(transcript, /setup: project type key=\n/);
    assert.match(transcript, /agent: project type project key=\[secret\] gateway=\n/);
    assert.match(transcript, /^agent: 1$/m);
    assert.match(transcript, new RegExp(`${host.address} 200`));
    assert.match(
      transcript,
      /denied other\.example\.org:443 \(the host is not on the allow list\)/,
    );

    const { thread } = await stage.fixture.task(task);
    const checks = await until(
      'the checks ran',
      async () => (await stage.fixture.get(`/v1/threads/${thread}`)).thread.checks ?? false,
    );
    assert.deepEqual(checks.failing, ['leaky'], JSON.stringify(checks));

    const leaking = await stage.post({ title: 'Leak' });
    const failed = await stage.reaches(leaking, 'failed');
    assert.match(JSON.stringify(failed), /leak\.txt.*contains a known secret/);
    assert.deepEqual(
      filesBelow(stage.hall.folder).filter((path) =>
        ifExists(() => readFileSync(path))?.includes(KEY),
      ),
      [],
    );
  });
});

async function listening() {
  const server = createServer((_, response) => response.end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** What the hall and its workers have written: database, logs, mirrors; not the agent's own files in its cell. */
function filesBelow(folder: string): readonly string[] {
  const entries = ifExists(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return path.endsWith('/worker/runs') ? [] : filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}
