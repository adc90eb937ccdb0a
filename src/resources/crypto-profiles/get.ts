// GET /crypto-profiles/:guid

import { type Call, endpoint } from '#http/endpoint.ts';
import { guid, required } from '#http/params.ts';
import { object, orNull } from '#http/shapes.ts';
import { cryptoProfileRecord, toRecord } from './model.ts';
import { findProfile } from './store.ts';

export const get = endpoint({
  title: 'Get crypto profile',
  method: 'GET',
  path: '/api/core/crypto-profiles/:guid',
  access: 'MASTER',
  params: { guid: required(guid) },
  answer: object({ profile: orNull(cryptoProfileRecord) }),

  async run(input, { db, zone }: Call & { zone: string }) {
    const row = await findProfile(db, input.guid);
    return { profile: row ? toRecord(row, zone) : null };
  },
});
