import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientHello } from '../../../test/support/client-hello.ts';
import { serverNameIn } from './server-name.ts';

const HEADER = 5;

test('A15: the server name is read from a complete TLS hello, and an incomplete one needs more bytes', async () => {
  const hello = await clientHello('good.example');
  assert.equal(serverNameIn(hello), 'good.example');
  assert.equal(serverNameIn(hello.subarray(0, -1)), 'more');
});

test('A15: a TLS hello split over two records has no server name', async () => {
  const hello = await clientHello('good.example.evil.example');
  for (let length = 1; length < hello.length - HEADER; length += 1) {
    assert.equal(serverNameIn(inTwoRecords(hello, length)), undefined, `cut after ${length}`);
  }
});

/** The other side puts the two together again, and reads all of the name. */
function inTwoRecords(hello: Buffer, length: number): Buffer {
  const message = hello.subarray(HEADER);
  const records = [message.subarray(0, length), message.subarray(length)].map((part) => {
    const header = Buffer.from(hello.subarray(0, HEADER));
    header.writeUInt16BE(part.length, 3);
    return Buffer.concat([header, part]);
  });
  return Buffer.concat(records);
}
