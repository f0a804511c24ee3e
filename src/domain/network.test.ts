import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { reachableHosts } from './network.ts';

const CASES: readonly (readonly [
  why: string,
  project: readonly string[],
  type: readonly string[] | null,
  both: readonly string[],
])[] = [
  ['a type that lists none has those of the project', ['a.example'], null, ['a.example']],
  ['a type with an empty list reaches nothing', ['a.example'], [], []],
  ['a type cannot add a host', [], ['a.example'], []],
  [
    'only hosts on both lists',
    ['a.example', 'b.example'],
    ['b.example', 'c.example'],
    ['b.example'],
  ],
  ['a host below a wildcard', ['*.example.org'], ['a.example.org'], ['a.example.org']],
  ['a wildcard does not cover its own domain', ['*.example.org'], ['example.org'], []],
  ['nor a name that only ends alike', ['*.example.org'], ['badexample.org'], []],
  ['the narrower of two wildcards', ['*.b.example'], ['*.a.b.example'], ['*.a.b.example']],
  ['another port is another host', ['a.example:8443'], ['a.example'], []],
  ['443 is the default port', ['a.example'], ['a.example:443'], ['a.example']],
  ['an address', ['10.0.0.7:3000'], ['10.0.0.7:3000'], ['10.0.0.7:3000']],
];

describe('the hosts that a run may reach', () => {
  for (const [why, project, type, both] of CASES) {
    test(`GH-063b: a run reaches only the hosts that project and type allow: ${why}`, () => {
      assert.deepEqual(reachableHosts(project, type), both);
      if (type !== null) assert.deepEqual(reachableHosts(type, project), both, 'either way round');
    });
  }
});
