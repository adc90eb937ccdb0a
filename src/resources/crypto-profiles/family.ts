// A crypto profile: a named key for tables. The key itself is never shown. Algorithm and key are set at creation only.

import { randomBytes } from 'node:crypto';
import { wrongCryptoKey } from '#contract/errors.ts';
import { family } from '#objects/families/family.ts';
import { named, plain } from '#objects/families/fields.ts';
import { choice } from '#operations/answers/shapes.ts';
import { alongside, anyText, oneOf, orElse, secret } from '#operations/params/params.ts';
import { ALGORITHMS, type Algorithm, KEY_BYTES } from '#vault/profile-key.ts';
import { everythingSealed } from '#vault/sealed/everything-sealed.ts';

const key = secret(
  alongside(anyText, (value, { algorithm }) => {
    // Validated before, by the reader of the previous field.
    const bytes = KEY_BYTES[algorithm as Algorithm];
    if (value !== undefined && keyBytes(value)?.length !== bytes) throw wrongCryptoKey(bytes);
  }),
);

/** Always there: it has a default. */
const algorithm = { ...plain(orElse(oneOf(ALGORITHMS), 'aes-256-gcm')), shape: choice(ALGORITHMS) };

export const cryptoProfiles = family({
  path: 'crypto-profiles',
  thing: 'crypto profile',
  things: 'crypto profiles',
  singular: 'profile',
  plural: 'profiles',
  table: 'crypto_profiles',
  readers: 'MASTER',
  writers: 'MASTER',
  fields: named,
  newFields: {
    algorithm,
    key: { reader: key },
  },
  searched: ['name'],
  meanings: {
    algorithm: 'Cipher and key length.',
    key: 'Key in base64; a random one where it is absent. No answer shows it.',
  },
  notes: {
    create:
      'A key is made when none is given. No operation returns it; it is stored wrapped by the master secret of ' +
      'the keys folder, which is made with the first profile: keep a copy of that file, apart from the data. ' +
      'Without it the next start is refused, and operations under key are 500 `master secret is missing` or ' +
      '`master secret is wrong`. Services of one user share the master secret of their keys folder.',
    update: 'Algorithm and key are fixed.',
    remove: 'One that a table uses stays. The key of a removed profile is gone for good.',
  },
  async initialColumns({ algorithm, key }, { key: guid, call: { db, vault } }) {
    const bytes = (key && keyBytes(key)) || randomBytes(KEY_BYTES[algorithm]);
    return { wrapped_key: vault.wrapped(guid, algorithm, bytes, await everythingSealed(db)) };
  },
  async removalRefusal({ guid }, { db }) {
    const table = db.selectFrom('log_tables').select('id').where('crypto_profile_guid', '=', guid).limit(1);
    return (await table.executeTakeFirst()) ? 'crypto-profile-in-use' : undefined;
  },
});

/** Undefined for invalid base64: Node's decoder ignores invalid characters, which must not become a key. */
function keyBytes(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  const isSame = bytes.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '');
  return isSame ? bytes : undefined;
}
