import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { readRecord } from './run-record.ts';

test('a run record of unusable work from an earlier version is still read as unusable', () => {
  using folder = tempFolder();
  const harvest = { is: 'spoilt', because: 'broken objects' };
  const record = { mirror: '/m', head: null, asked: 'x', harvest, fate: 'open', at: 1 };
  writeFileSync(join(folder.path, 'record.json'), JSON.stringify(record));
  assert.deepEqual(readRecord(folder.path), {
    ...record,
    harvest: { is: 'unusable', because: 'broken objects' },
  });
});
