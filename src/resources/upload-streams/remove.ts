// DELETE /upload-streams

import { eachOnce } from '#contract/partial-outcome.ts';
import { failures, record } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { required } from '#operations/params/params.ts';
import { companyOf, TUS_MIRRORED } from './model.ts';
import { tokens } from './params.ts';
import { findOpenStream, removeStream } from './uploads/store.ts';
import type { Uploads } from './uploads/uploads.ts';

export const remove = endpoint({
  title: 'Remove uploads',
  notes:
    'Removes uploads in progress and their bytes at once, whatever address they were opened from and whatever is being done ' +
    'with them. An ADMIN removes those of accounts of its company, a MASTER all.',
  method: 'DELETE',
  path: '/api/core/upload-streams',
  access: 'ADMIN',
  audit: 'upload-streams.remove',
  params: { tokens: required(tokens, 'Tokens of the uploads to remove.') },
  mirrored: TUS_MIRRORED,
  answer: record({ failures }),

  async run(input, { db, caller, uploads, afterCommit }: Call & { uploads: Uploads }) {
    const company = companyOf(caller);
    return await eachOnce(input.tokens, async (token) => {
      const row = await findOpenStream(db, token, uploads.since);
      if (!row || (company !== undefined && row.company_guid !== company)) return 'upload-stream-not-found';
      await removeStream(db, row.token);
      afterCommit(() => uploads.discard(row.token));
      return undefined;
    });
  },
});
