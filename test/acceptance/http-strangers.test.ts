import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import type { Hall } from '../../src/board/hall.ts';
import { type RunningHall, startHall } from '../support/hall.ts';

describe('A55: unauthenticated requests to a follower', () => {
  const cases = [
    { path: '/v1/tasks', most: 64 },
    { path: '/gateway/v1/messages', most: 8 },
  ];
  for (const { path, most } of cases) {
    it(`a follower holds only a few unauthenticated requests to ${path} at once`, async () => {
      await using leader = await startHall();
      await using follower = await startHall({ hall: following(leader) });
      const held: Socket[] = [];
      for (let n = 0; n < most; n += 1) held.push(await begun(follower, path, 'Bearer ghw_guess'));
      try {
        const tooMany = await begun(follower, path, 'Bearer ghw_guess');
        assert.match(await answerOn(tooMany), /^HTTP\/1.1 503 /);
        const nameless = await begun(follower, path, undefined);
        assert.match(await answerOn(nameless), /^HTTP\/1.1 401 /);
        const known = await leader.worker();
        const heartbeat = `/v1/workers/${known.id}/heartbeat`;
        const { status } = await follower.as(known.token).post(heartbeat);
        assert.equal(status, 200, 'whoever is known is served as before');
      } finally {
        for (const socket of held) socket.destroy();
      }
    });
  }
});

function following({ hall, url }: RunningHall): Hall {
  return { ...hall, leading: () => undefined, leaderUrl: () => url };
}

/** A request whose head the node has read and whose body is still missing. */
async function begun(
  { port, url }: RunningHall,
  path: string,
  authorization: string | undefined,
): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${new URL(url).host}`,
    ...(authorization === undefined ? [] : [`Authorization: ${authorization}`]),
    'Content-Type: application/json',
    'Content-Length: 100000',
    '',
    '{',
  ];
  await new Promise((written) => socket.write(head.join('\r\n'), written));
  // A later request that is answered shows that the node has read this one.
  await fetch(`${url}/healthz`);
  return socket;
}

async function answerOn(socket: Socket): Promise<string> {
  const [chunk] = await once(socket.setEncoding('utf8'), 'data');
  socket.destroy();
  return chunk;
}
