// Cancel upload: DELETE /upload-streams/:token

import { nothing } from '#operations/answers/shapes.ts';
import { Answer, type Call, endpoint } from '#operations/endpoint.ts';
import { TUS_MIRRORED } from './model.ts';
import { noStreamFor, ownerOf, ownerOfRow } from './ownership.ts';
import { token, tusResumable } from './params.ts';
import { removeStream } from './uploads/store.ts';
import type { Uploads } from './uploads/uploads.ts';

export const cancel = endpoint({
  title: 'Cancel upload',
  notes:
    'Removes the upload and its bytes at once, also while bytes arrive or are imported. The header `Authorization` is ignored. A request with `Tus-Resumable` is answered with 204 and no body.',
  method: 'DELETE',
  path: '/api/core/upload-streams/:token',
  access: 'token',
  audit: 'upload-streams.cancel',
  ownedBy: 'upload',
  runsWithoutOwner: true,
  params: { token, 'Tus-Resumable': tusResumable },
  mirrored: TUS_MIRRORED,
  answer: nothing,
  otherStatuses: [204],
  ownerOf,

  async run(input, needs: Call & { uploads: Uploads }) {
    const { db, remoteIp, uploads, note, identify, afterCommit } = needs;
    const row = await uploads.find(db, { token: input.token, remoteIp });
    if (!row) throw await noStreamFor(input.token, 'cancel', needs);
    // The token identifies the account that opened the stream.
    const { actor, noted } = ownerOfRow(row);
    identify(actor);
    note(noted);
    await removeStream(db, row.token);
    afterCommit(() => uploads.discard(row.token));
    return input['Tus-Resumable'] === undefined ? {} : new Answer({}, { status: 204 });
  },
});
