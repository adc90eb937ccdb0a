// POST /upload-streams/:token/complete

import { type Call, endpoint } from '#operations/endpoint.ts';
import { outcomeRecord, TUS_MIRRORED } from './model.ts';
import { noStreamFor, ownerOf, ownerOfRow } from './ownership.ts';
import { token } from './params.ts';
import type { Uploads } from './uploads/uploads.ts';

export const complete = endpoint({
  title: 'Complete upload',
  notes:
    'Imports the upload: all its good lines become visible together, or none does. The first 1,000 bad ones are ' +
    'named. A repeated call answers the same for as long as an upload may rest, and leaves no further audit ' +
    'entry.\n\n' +
    'CSV values are texts, `_time` also milliseconds; an empty value is absent unless it is quoted. A row with ' +
    'another number of values, broken quotes or line ends of carriage returns alone is `parse-failed`, and costs ' +
    'its first line alone; without a distinct name for every column all lines are. Records without `_time` get ' +
    'the moment of completion. A corrupt part is 500 `table is damaged: <table> [file: <file>]`; empty gzip data ' +
    'is refused.',
  method: 'POST',
  path: '/api/core/upload-streams/:token/complete',
  access: 'token',
  audit: 'upload-streams.complete',
  ownedBy: 'upload',
  params: { token },
  isUnit: false,
  mirrored: TUS_MIRRORED,
  answer: outcomeRecord,
  ownerOf,

  async run({ token }, needs: Call & { uploads: Uploads }) {
    const { db, remoteIp, uploads, note, identify, entry, leaveUnrecorded } = needs;
    const row = await uploads.claimed(db, { token, remoteIp });
    if (!row) throw await noStreamFor(token, 'complete', needs);
    // The token identifies the account that opened the stream.
    const { actor, noted } = ownerOfRow(row);
    identify(actor);
    note(noted);
    const outcome = await uploads.complete(row, token, entry);
    // The import wrote its audit entry; a repeated response writes none.
    leaveUnrecorded();
    return outcome;
  },
});
