import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { issueForm } from './issue-form.ts';

describe('the form of an issue', () => {
  const cases: readonly (readonly [string, string, string | null, string])[] = [
    ['plain text', 'Please fix it.', null, 'doing'],
    [
      'both fields',
      '### Target repository\n\nacme/api\n\n### Mode\n\nadvising\n',
      'acme/api',
      'advising',
    ],
    [
      'an address',
      '### Target repository\n\nhttps://github.com/acme/api.git\n',
      'acme/api',
      'doing',
    ],
    [
      'no answers',
      '### Target repository\n\n_No response_\n\n### Mode\n\n_No response_',
      null,
      'doing',
    ],
    [
      'a field without a line',
      '### Target repository\n\n### Mode\n\nResearching',
      null,
      'researching',
    ],
    ['an unknown mode', '### Mode\n\nwishing', null, 'doing'],
    [
      'words that are no repository',
      '### Target repository\n\nthe other one',
      'the other one',
      'doing',
    ],
    ['the words in a sentence', 'Mode\n\nadvising', null, 'doing'],
  ];
  for (const [form, body, target, mode] of cases) {
    test(form, () => assert.deepEqual(issueForm(body), { target, mode }));
  }
});
