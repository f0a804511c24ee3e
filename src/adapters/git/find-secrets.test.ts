import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deflateSync, gzipSync } from 'node:zlib';
import { findSecrets } from './find-secrets.ts';

const RANDOM = 'Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zAb3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z';

/** Split, so that secret scanners do not report this file. */
const FORMATS: Readonly<Record<string, string>> = {
  'an AWS access key': `AK${'IA'}IOSFODNN7EXAMPLE`,
  'an AWS secret key': `aws_secret_access_key = ${RANDOM.slice(0, 40)}`,
  'a GitHub token': `gh${'p_'}${RANDOM.slice(0, 36)}`,
  'a GitLab token': `gl${'pat-'}${RANDOM.slice(0, 20)}`,
  'an Anthropic key': `sk-${'ant-'}api03-${RANDOM.slice(0, 40)}`,
  'an OpenAI key': `sk-${'proj-'}${RANDOM.slice(0, 40)}`,
  'a Slack token': `xo${'xb-'}123456789012-${RANDOM.slice(0, 20)}`,
  'a Google key': `AI${'za'}${RANDOM.slice(0, 35)}`,
  'a Stripe key': `sk_${'live_'}${RANDOM.slice(0, 24)}`,
  'an npm token': `np${'m_'}${RANDOM.slice(0, 36)}`,
  'a private key': `-----BEGIN ${'OPENSSH'} PRIVATE KEY-----`,
  'a JSON web token': `ey${'J'}${RANDOM.slice(0, 12)}.ey${'J'}${RANDOM.slice(0, 12)}.${RANDOM.slice(0, 20)}`,
  'a password in a URL': `postgres://hall:${'s3cr3tpw'}@db.test/hall`,
};

describe('a secret', () => {
  for (const [what, text] of Object.entries(FORMATS)) {
    it(`a secret that is ${what} is found`, () => {
      const found = findSecrets(`const x = "${text}";`, []);
      assert.ok(
        found.some(({ because, isGuess }) => because === `looks like ${what}` && !isGuess),
        text,
      );
    });
  }

  it('a known secret is found in every encoding', () => {
    const secret = 'tr0ub4dor&3-of-the-hall';
    const base64 = Buffer.from(secret).toString('base64');
    const gzip = gzipSync(`a lot of text, then ${secret}`).toString('base64');
    const disguises = [
      secret,
      base64,
      Buffer.from(`x${secret}`).toString('base64'),
      Buffer.from(`xy${secret}`).toString('base64url'),
      Buffer.from(secret).toString('hex'),
      Buffer.from(secret).toString('hex').toUpperCase(),
      [...secret].reverse().join(''),
      `${secret.slice(0, 9)}\n${secret.slice(9)}`,
      `a = "${secret.slice(0, 9)}" +\n  "${secret.slice(9)}";`,
      `"${base64.slice(0, 10)}"\n"${base64.slice(10)}"`,
      encodeURIComponent(secret),
      gzip,
      gzip.replace(/.{40}/g, '$&\n'),
      deflateSync(secret).toString('base64'),
    ];
    for (const text of disguises) {
      const [leak] = findSecrets(`before ${text} after`, [secret]);
      assert.match(leak?.because ?? '', /^contains a known secret/, text);
      assert.ok(!leak?.because.includes(secret));
    }
  });

  it('a secret is found in a compressed file', () => {
    const file = gzipSync('a file with kept-secret-value in it').toString('latin1');
    assert.match(findSecrets(file, ['kept-secret-value'])[0]?.because ?? '', /compressed$/);
  });

  it('a random value whose name suggests a secret is reported as a guess', () => {
    const [leak] = findSecrets(`api_key: "${RANDOM.slice(0, 30)}"`, []);
    assert.equal(leak?.isGuess, true);
  });

  it('no secret is found in ordinary code', () => {
    const ordinary = [
      'const token = process.env.TOKEN;',
      `password: "$${'{{ secrets.PASSWORD }}'}"`,
      'apiKey = getApiKey("the name of the key 1")',
      'https://user:password@example.org/',
      'git+ssh://git@forge.test/a.git#0123456789abcdef0123456789abcdef01234567',
      'integrity sha512-0123456789abcdefABCDEF==',
      'a task-skeleton-for-everything-that-is-described-here',
      'const secretName = "a-plain-name-without-digits";',
    ];
    for (const text of ordinary)
      assert.deepEqual(findSecrets(text, ['kept-secret-value']), [], text);
  });

  it('a known secret that is too short is not searched for', () => {
    assert.deepEqual(findSecrets('a b c', ['b']), []);
  });
});
