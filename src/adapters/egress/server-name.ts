/**
 * The server name in a TLS client's first message. It keeps a tunnel to one host from reaching another
 * behind the same front. 'more' while the message is incomplete.
 */
export function serverNameIn(bytes: Buffer): string | 'more' | undefined {
  if (bytes.length < 5) return bytes.length > 0 && bytes[0] !== HANDSHAKE ? undefined : 'more';
  if (bytes[0] !== HANDSHAKE) return undefined;
  const end = 5 + bytes.readUInt16BE(3);
  if (bytes.length < end) return end > LONGEST ? undefined : 'more';
  return nameInHello(bytes.subarray(5, end));
}

const HANDSHAKE = 22;
const CLIENT_HELLO = 1;
const LONGEST = 5 + 16_384;

/**
 * RFC 8446 §4.1.2 and RFC 6066 §3. A hello that continues in another record has no name: the visible
 * part may be the beginning of a longer one.
 */
function nameInHello(hello: Buffer): string | undefined {
  if (hello.length < 38 || hello[0] !== CLIENT_HELLO) return undefined;
  if (4 + hello.readUIntBE(1, 3) > hello.length) return undefined;
  let at = 38;
  at += 1 + (hello[at] ?? 0);
  if (at + 2 > hello.length) return undefined;
  at += 2 + hello.readUInt16BE(at);
  at += 1 + (hello[at] ?? 0);
  if (at + 2 > hello.length) return undefined;
  return nameInExtensions(hello.subarray(at + 2, at + 2 + hello.readUInt16BE(at)));
}

function nameInExtensions(extensions: Buffer): string | undefined {
  for (let at = 0; at + 4 <= extensions.length; ) {
    const length = extensions.readUInt16BE(at + 2);
    const body = extensions.subarray(at + 4, at + 4 + length);
    if (extensions.readUInt16BE(at) === 0 && body.length >= 5) {
      return body.subarray(5, 5 + body.readUInt16BE(3)).toString('latin1');
    }
    at += 4 + length;
  }
  return undefined;
}
