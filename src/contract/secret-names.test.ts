import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSecretName, MASK, maskDatabaseUser, maskSecrets } from './secret-names.ts';

describe('A name is that of a secret', () => {
  it.each([
    'password',
    'Password',
    'user_password',
    'PASS-WORD',
    'pass.wd',
    'p_a_s_s_w_d',
    'secret',
    'client_secret',
    'my.secret.key',
    'apikey',
    'api_key',
    'Api-Key',
    'X-API-KEY',
    'token',
    'accessToken',
    'to-ken',
    'credentials',
    'aws.credential',
    'Authorization',
    'Proxy-Authorization',
  ])('%s', (name) => expect(isSecretName(name)).toBe(true));

  it.each(['', 'key', 'name', 'pass', 'passphrase', 'user', 'q', 'query', 'key_guid', 'secre', 'api key', 'tok en'])(
    'unlike %j',
    (name) => expect(isSecretName(name)).toBe(false),
  );
});

const WORDS = ['password', 'passwd', 'secret', 'apikey', 'token', 'credential'];

/** A word in any case, with separators anywhere, within a longer name. */
const secretName = fc
  .record({
    word: fc.constantFrom(...WORDS),
    spelling: fc.array(fc.tuple(fc.boolean(), fc.constantFrom('', '_', '-', '.')), { minLength: 10, maxLength: 10 }),
    before: fc.constantFrom('', 'my_', 'x'),
    after: fc.constantFrom('', '2', '_old'),
  })
  .map(({ word, spelling, before, after }) => {
    const letters = [...word].map((letter, at) => {
      const [isUpper, separator] = spelling[at] ?? [false, ''];
      return `${isUpper ? letter.toUpperCase() : letter}${separator}`;
    });
    return `${before}${letters.join('')}${after}`;
  });

const HIDDEN = 'xyzzy-hidden';
const hidden = fc.constantFrom(HIDDEN, [HIDDEN], { inside: HIDDEN });

const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 6 },
    fc.integer(),
    fc.constantFrom('open', null, true),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'list', 'key'), tie('value')),
    fc.tuple(secretName, hidden).map(([name, value]) => ({ [name]: value, open: 1 })),
  ),
})).value;

describe('Secrets among values', () => {
  it('are masked at any depth, in any spelling, and nothing else is', () => {
    fc.assert(
      fc.property(json, (value) => {
        // What the generator makes is JSON.
        const raw = value as Parameters<typeof maskSecrets>[0];
        const masked = maskSecrets(raw);
        expect(JSON.stringify(masked) ?? '').not.toContain(HIDDEN);
        if (!(JSON.stringify(raw) ?? '').includes(HIDDEN)) expect(masked).toBe(raw);
      }),
    );
  });

  it('keep their names and their neighbours', () => {
    const raw = { password: 'x', list: [{ 'api-key': 1, n: 2 }], token: null, key: 'shown' };
    const shown = { password: MASK, list: [{ 'api-key': MASK, n: 2 }], token: null, key: 'shown' };
    expect(maskSecrets(raw)).toEqual(shown);
  });
});

it.each([
  ['password authentication failed for user "vigil"', 'password authentication failed for user "***"'],
  ['role "vigil" does not exist', 'role "***" does not exist'],
  ['database "vigil" does not exist', 'database "vigil" does not exist'],
])('The user of the database is masked in: %s', (text, shown) => expect(maskDatabaseUser(text)).toBe(shown));
