import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { isKeyFault, type KeyFault, type SecretsKey } from '../../src/ports/secrets-key.ts';

/** A key whose text the test writes. */
interface WrittenKey extends Disposable {
  readonly key: SecretsKey;
  /** Every key text that was reported as a secret. */
  readonly known: readonly string[];
  write(text: string): void;
}

/** The answer, which must not be a fault. */
export function usable<T>(answer: T): Exclude<T, KeyFault> {
  if (isKeyFault(answer)) assert.fail(answer.fault);
  return answer as Exclude<T, KeyFault>;
}

export function faultIn(answer: unknown): string {
  return isKeyFault(answer) ? answer.fault : assert.fail('no fault');
}

const line = () => randomBytes(32).toString('base64');

/** What the hall relies on, wherever the key comes from. */
export function secretsKeyContract(name: string, open: () => WrittenKey): void {
  test(`the key of ${name} is the same each time it is read, and opens what it sealed`, async () => {
    using written = open();
    written.write(`${line()}\n`);
    const [first] = usable(await written.key.read());
    const [again] = usable(await written.key.read());
    const sealed = first?.seal('hook', 'a value') ?? '';
    assert.equal(again?.id, first?.id);
    assert.equal(again?.open('hook', sealed), 'a value');
  });

  test(`the keys of ${name} are read in order, in base64 or hex, with comments between them`, async () => {
    using written = open();
    const bytes = randomBytes(32);
    written.write(`# of 2026\n${bytes.toString('base64')}\n\n# of 2025\n${line()}\n`);
    const keys = usable(await written.key.read());
    assert.equal(keys.length, 2);
    written.write(`  ${bytes.toString('hex')}  `);
    const [inHex] = usable(await written.key.read());
    assert.equal(inHex?.id, keys[0]?.id);
  });

  test(`every key of ${name} is known as a secret, even one that is malformed, and no fault repeats it`, async () => {
    using written = open();
    const keys = [line(), line().slice(0, -8)];
    written.write(keys.join('\n'));
    const fault = faultIn(await written.key.read());
    assert.match(fault, /no key.*32 bytes in base64 or hex/);
    for (const key of keys) assert.ok(!fault.includes(key), fault);
    assert.deepEqual(written.known, keys);
  });

  test(`without a key ${name} reports that there is none`, async () => {
    using written = open();
    written.write('# nothing yet\n');
    assert.match(faultIn(await written.key.read()), /is empty|printed no key/);
  });
}
