import { describe, it } from 'node:test';
import { whyNoWorkers } from '../support/worker-fixture.ts';
import { playCase } from './case.ts';
import { CASES } from './cases.ts';

/*
 * Real agents, the real model, real money: a few cents for each case. `GUILDHALL_LIVE_URL` asks another
 * address than the provider's own, `GUILDHALL_LIVE_MODEL` another model than the usual one.
 */
const {
  GUILDHALL_LIVE_KEY: credential,
  GUILDHALL_LIVE_URL: url,
  GUILDHALL_LIVE_MODEL: model,
} = process.env;

const NO_KEY = 'GUILDHALL_LIVE_KEY is not set';

describe('each skill with a real model', {
  skip: credential ? await whyNoWorkers() : NO_KEY,
}, () => {
  for (const one of CASES) {
    const provider = { credential: credential ?? '', ...(url !== undefined && { url }) };
    it(`the skill ${one.skill} works with a real model`, () => playCase(one, provider, model));
  }
});
