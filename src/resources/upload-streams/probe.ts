// HEAD /upload-streams/:token

import { noUploadStream } from '#contract/errors.ts';
import { Answer, type Call, endpoint } from '#http/endpoint.ts';
import { required } from '#http/params.ts';
import { nothing } from '#http/shapes.ts';
import { expiryOf, TUS_MIRRORED } from './model.ts';
import { token, tusVersion } from './params.ts';
import type { Uploads } from './uploads.ts';

export const probe = endpoint({
  title: 'Ask how far an upload is',
  notes: 'Every byte before `Upload-Offset` is durable. 404 when the stream is gone or the address is another.',
  method: 'HEAD',
  path: '/api/core/upload-streams/:token',
  access: 'token',
  params: { token, 'Tus-Resumable': required(tusVersion) },
  mirrored: TUS_MIRRORED,
  answer: nothing,
  answerHeaders: {
    'Upload-Offset': 'bytes that are durable',
    'Upload-Length': 'bytes in all',
    'Upload-Expires': 'when it is removed unless it goes on',
  },

  async run(input, { remoteIp, uploads }: Call & { uploads: Uploads }) {
    const row = await uploads.probe({ token: input.token, remoteIp });
    if (!row) throw noUploadStream(input.token, 404);
    const headers = {
      'upload-offset': String(row.uploaded_size),
      'upload-length': String(row.file_size),
      'upload-expires': expiryOf(row, uploads.limits.idle),
      'cache-control': 'no-store',
    };
    return new Answer({}, { headers });
  },
});
