// HEAD /upload-streams/:token

import { noUploadStream } from '#contract/errors.ts';
import { nothing } from '#operations/answers/shapes.ts';
import { Answer, type Call, endpoint } from '#operations/endpoint.ts';
import { required } from '#operations/params/params.ts';
import { expiryOf, TUS_MIRRORED, uploadMetadataOf } from './model.ts';
import { token, tusVersion } from './params.ts';
import type { Uploads } from './uploads/uploads.ts';

export const probe = endpoint({
  title: 'Get upload offset',
  notes:
    'Every byte before `Upload-Offset` is durable; during a PATCH the bytes that have arrived are made durable ' +
    'first. An imported upload answers its full offset as long as `complete` repeats its answer. 404 when the ' +
    'stream is gone or refused for good, or the address is another.',
  method: 'HEAD',
  path: '/api/core/upload-streams/:token',
  access: 'token',
  ownedBy: 'upload',
  params: { token, 'Tus-Resumable': required(tusVersion) },
  mirrored: TUS_MIRRORED,
  answer: nothing,
  answerHeaders: {
    'Upload-Offset': 'bytes that are durable',
    'Upload-Length': 'bytes in all',
    'Upload-Expires': 'when it is removed unless it goes on',
    'Upload-Metadata': 'as it was opened by tus',
  },

  async run(input, { remoteIp, uploads }: Call & { uploads: Uploads }) {
    const row = await uploads.probe({ token: input.token, remoteIp });
    if (!row) throw noUploadStream(input.token, 404);
    const metadata = uploadMetadataOf(row);
    const headers = {
      'upload-offset': String(row.uploaded_size),
      'upload-length': String(row.file_size),
      'upload-expires': expiryOf(row, uploads.limits.idle),
      'cache-control': 'no-store',
      ...(metadata === undefined ? {} : { 'upload-metadata': metadata }),
    };
    return new Answer({}, { headers });
  },
});
