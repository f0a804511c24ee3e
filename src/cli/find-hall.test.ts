import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { it } from 'node:test';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { findData } from '../config/find-data.ts';
import { writeHallFile } from '../main/hall-file.ts';
import { findHall } from './find-hall.ts';

it('with PostgreSQL, the hint about the token of a node says where it is refused and how to create one for all nodes', async () => {
  using folder = tempFolder();
  const url = 'http://127.0.0.1:4600';
  const hall = { url, pid: process.pid, started_at: '', version: '' };
  const log = { info: assert.fail, warn: assert.fail, error: assert.fail };
  writeHallFile(folder.path, hall, log);
  writeFileSync(folder.file('token'), 'a-token');
  const find = (store: string) => {
    const environment = { GUILDHALL_STORE: store };
    const flags = { data: folder.path };
    const cwd = folder.path;
    const hall = async () => assert.fail('the configuration is not needed');
    const quick = () => findData({ flags, environment, cwd });
    const command = (...words: readonly string[]) => `guildhall ${words.join(' ')}`;
    return findHall({ url: undefined, token: undefined, environment, cwd, command, quick, hall });
  };
  assert.equal((await find('sqlite')).tokenFrom, `sent the token in ${folder.file('token')}`);
  const { token, tokenFrom } = await find('postgres://hall@db/hall');
  assert.equal(token, 'a-token');
  assert.match(
    tokenFrom,
    /while another node is the leader; .*guildhall token create NAME --role operator/,
  );
});
