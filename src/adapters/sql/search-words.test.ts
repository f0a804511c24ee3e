import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linksIn, linkWord } from './search-names.ts';
import { termsIn, wordsIn } from './search-words.ts';

/** A `*` marks a word that may go on. */
function typed(text: string): string {
  return termsIn(text)
    .map(({ word, isPrefix }) => `${word}${isPrefix ? '*' : ''}`)
    .join(' ');
}

test('the words of a text have no case, accents or punctuation', () => {
  for (const [text, words] of [
    ['Show prices, with tax!', 'SHOW PRICES WITH TAX'],
    ['max_retry_count in src/retry.ts:12', 'MAX RETRY COUNT IN SRC RETRY TS 12'],
    ['Straße, GRÖSSE, Ὀδός, ΟΔΟΣ, İzmir, ılık', 'STRASSE GROSSE ΟΔΟΣ ΟΔΟΣ IZMIR ILIK'],
    ['ﬁne ２０２６ x² Ⅳ', 'FINE 2026 X2 IV'],
    ['e\u0301te\u0301 = été', 'ETE ETE'],
    ['שָׁלוֹם مُحَمَّد', 'שלום محمد'],
    ['कि कु', 'कि कु'],
    ['🚀❤️ go', '🚀 ❤ GO'],
    ['"\'*()-:\0\t%_\u{e000}', ''],
  ] as const) {
    assert.equal([...wordsIn(text)].join(' '), words, text);
  }
});

test('text without spaces between words becomes its characters and their pairs', () => {
  assert.deepEqual([...wordsIn('消費税')], ['消', '費', '税', '消費', '費税']);
  assert.deepEqual([...wordsIn('が ｶﾞ')], ['が', 'ガ']);
  assert.deepEqual([...wordsIn('API版')], ['API', '版']);
});

test('all words of a search must match, and the last may be the start of one', () => {
  for (const [text, terms] of [
    ['prices wit', 'PRICES WIT*'],
    ['prices wi', 'PRICES WI'],
    ['prices with ', 'PRICES WITH'],
    ['prices"', 'PRICES'],
    ['issue-12', 'ISSUE 12'],
    ['消', '消'],
    ['消費税', '消費 費税'],
    ['消費税 tax', '消費 費税 TAX*'],
    ['?', ''],
  ] as const) {
    assert.equal(typed(text), terms, text);
  }
});

test('a word longer than 64 characters is cut in texts and searches alike', () => {
  const long = '𝔸'.repeat(500);
  assert.deepEqual([...wordsIn(long)], ['A'.repeat(64)]);
  assert.deepEqual(termsIn(`${long} x`)[0]?.word, 'A'.repeat(64));
});

test('links are found in a text without the punctuation around them', () => {
  const text =
    'See https://a.example/x/1, (http://b.example/y?z=1) and [c](HTTPS://C.example/#/2).';
  assert.deepEqual(linksIn(text), [
    'https://a.example/x/1',
    'http://b.example/y?z=1',
    'HTTPS://C.example/#/2',
  ]);
});

test('two spellings of one address are the same link, and two addresses are not', () => {
  const same = linkWord('https://forge.example/acme/shop/issues/12');
  for (const url of [
    'http://forge.example/acme/shop/issues/12',
    ' https://Forge.Example/acme/shop/issues/12/ ',
    'https://forge.example/acme/shop/issues/12#issuecomment-3',
    'https://me@forge.example:443/acme/shop/issues/12',
  ]) {
    assert.equal(linkWord(url), same, url);
  }
  for (const url of [
    'https://forge.example/acme/shop/issues/123',
    'https://forge.example/acme/shop/issues/12?id=1',
    'https://forge.example/acme/shop/issues/12#/3',
    'https://forge.example/acme/Shop/issues/12',
    'local:shop/12',
    'not a link',
  ]) {
    assert.notEqual(linkWord(url), same, url);
  }
});
