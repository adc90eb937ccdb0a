// Cancel upload: DELETE /upload-streams/:token

import { CountedRefusal, noUploadStream, type Refusal } from '#contract/errors.ts';
import { Answer, type Call, endpoint } from '#http/endpoint.ts';
import { nothing } from '#http/shapes.ts';
import type { Db } from '#store/kysely.ts';
import { TUS_MIRRORED } from './model.ts';
import { token, tusMark } from './params.ts';
import { findOpenStream, removeStream } from './store.ts';
import type { Uploads } from './uploads.ts';

export const cancel = endpoint({
  title: 'Cancel upload',
  notes:
    'Removes the upload and its bytes at once, whatever is being done with it. An `Authorization` header is not looked at. A request with `Tus-Resumable` is answered as tus wants it: 204 without a body.',
  method: 'DELETE',
  path: '/api/core/upload-streams/:token',
  access: 'token',
  audit: 'upload-streams.cancel',
  params: { token, 'Tus-Resumable': tusMark },
  mirrored: TUS_MIRRORED,
  answer: nothing,

  async run(input, { db, remoteIp, uploads, note, identify, afterCommit }: Call & { uploads: Uploads }) {
    const row = await uploads.find(db, { token: input.token, remoteIp });
    if (!row) throw await notTheirs(db, input.token, uploads.since);
    await removeStream(db, row.token);
    // The token stands for whoever opened the stream.
    identify({ userGuid: row.user_guid, login: row.login_name, companyGuid: row.company_guid });
    note({ file_name: row.file_name, table: row.table_name });
    afterCommit(() => uploads.discard(row.token));
    return input['Tus-Resumable'] === undefined ? {} : new Answer({}, { status: 204 });
  },
});

/** Who has the token of a stream, but not its address, has it from somebody: the trail says so, the answer does not. */
async function notTheirs(db: Db, token: string, since: number): Promise<Refusal> {
  const row = await findOpenStream(db, token, since);
  const refusal = noUploadStream(token);
  if (!row) return refusal;
  const { file_name, table_name: table, login_name: login } = row;
  return new CountedRefusal(refusal, `upload ${row.token}`, { file_name, table, login });
}
