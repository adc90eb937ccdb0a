// One-time codes: each opens one console session, within ten minutes, in place of the key behind the call that made it.
// Random and stored only as a SHA-256, like keys.

import type { Db } from '#store/kysely.ts';
import { hashOf, newSignInCode } from './keys.ts';

const CODE_LIFE = Temporal.Duration.from({ minutes: 10 });
const CODE_LIFE_MS = CODE_LIFE.total('milliseconds');
/** Open codes of one account; a further one ends the oldest. */
const MAX_OPEN = 10;

interface NewCode {
  readonly code: string;
  readonly expiresAt: Temporal.Instant;
}

export async function createSignInCode(
  db: Db,
  { keyGuid, userGuid, now }: { keyGuid: string; userGuid: string; now: Temporal.Instant },
): Promise<NewCode> {
  const code = newSignInCode();
  const created_at = now.epochMilliseconds;
  await db
    .deleteFrom('sign_in_codes')
    .where('created_at', '<=', created_at - CODE_LIFE_MS)
    .execute();
  const keys = db.selectFrom('api_keys').select('guid').where('user_guid', '=', userGuid);
  const open = await db
    .selectFrom('sign_in_codes')
    .select('hash')
    .where('key_guid', 'in', keys)
    .orderBy('created_at')
    .orderBy('hash')
    .execute();
  const ended = open.slice(0, Math.max(0, open.length - MAX_OPEN + 1)).map(({ hash }) => hash);
  if (ended.length > 0) await db.deleteFrom('sign_in_codes').where('hash', 'in', ended).execute();
  await db
    .insertInto('sign_in_codes')
    .values({ hash: hashOf(code), key_guid: keyGuid, created_at })
    .execute();
  return { code, expiresAt: now.add(CODE_LIFE) };
}

/** Ends a code. Resolves to the GUID of the key that it stands for; undefined for one that is unknown, used or too old. */
export async function redeemSignInCode(db: Db, code: string, now: Temporal.Instant): Promise<string | undefined> {
  const row = await db
    .deleteFrom('sign_in_codes')
    .where('hash', '=', hashOf(code))
    .where('created_at', '>', now.epochMilliseconds - CODE_LIFE_MS)
    .returning('key_guid')
    .executeTakeFirst();
  return row?.key_guid;
}
