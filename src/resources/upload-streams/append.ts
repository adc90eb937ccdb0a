// PATCH /upload-streams/:token

import { nothing } from '#operations/answers/shapes.ts';
import { Answer, type Call, endpoint } from '#operations/endpoint.ts';
import { required } from '#operations/params/params.ts';
import type { UploadStreamRow } from '#store/schema/schema.ts';
import { expiryOf, TUS_MIRRORED } from './model.ts';
import { ownerOfRow } from './ownership.ts';
import { token, tusVersion, uploadOffset } from './params.ts';
import type { Uploads } from './uploads/uploads.ts';

export const append = endpoint({
  title: 'Append to upload',
  notes:
    'Bytes are appended at `Upload-Offset`, which must be the current offset: otherwise 409 tells it. The answer ' +
    'is sent when they are durable. Bytes that arrived before a connection broke are stored. 404 when the stream ' +
    'is gone or the address is another.\n\n' +
    '`Tus-Resumable` missing is 400 `Tus-Resumable should be not null`, another version 412. A second PATCH waits ' +
    'for the first and then gets 409; a PATCH silent for 5 seconds gives way. 413 names the bytes still missing, ' +
    'and nothing of the request is stored. A dropped table is 500 `table not found: <table>`, a full disk 500 `no ' +
    'space left: <table>`; acknowledged bytes stay. Where the import of a tus upload is refused, the last PATCH ' +
    'gets the refusal, the bytes stay, and `complete` tries again. A tus upload that was whole at a crash is ' +
    'imported at the next start.',
  method: 'PATCH',
  path: '/api/core/upload-streams/:token',
  access: 'token',
  ownedBy: 'upload',
  params: { token, 'Tus-Resumable': required(tusVersion), 'Upload-Offset': uploadOffset },
  rawBody: { types: ['application/offset+octet-stream'], isStreamed: true, sample: '{"status":200}' },
  isUnit: false,
  mirrored: TUS_MIRRORED,
  answer: nothing,
  answerStatus: 204,
  answerHeaders: {
    'Upload-Offset': 'bytes that are durable now',
    'Upload-Expires': 'when it is removed unless it goes on',
  },

  async run(input, { remoteIp, content, uploads, identify }: Call & { uploads: Uploads }) {
    const { token, 'Upload-Offset': offset } = input;
    const { stream, announcedBytes: length } = content;
    const onFound = (found: UploadStreamRow) => identify(ownerOfRow(found).actor);
    const row = await uploads.append({ token, remoteIp, offset, stream, length, onFound });
    const headers = {
      'upload-offset': String(row.uploaded_size),
      'upload-expires': expiryOf(row, uploads.limits.idle),
    };
    return new Answer({}, { headers });
  },
});
