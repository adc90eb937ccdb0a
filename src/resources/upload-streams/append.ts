// PATCH /upload-streams/:token

import { Answer, type Call, endpoint } from '#http/endpoint.ts';
import { required } from '#http/params.ts';
import { nothing } from '#http/shapes.ts';
import { expiryOf, TUS_MIRRORED } from './model.ts';
import { token, tusVersion, uploadOffset } from './params.ts';
import type { Uploads } from './uploads.ts';

export const append = endpoint({
  title: 'Append to upload',
  notes:
    'Bytes go on at `Upload-Offset`, which must be where the upload is: otherwise 409 says where that is. The answer comes when they are durable. Of a connection that breaks everything that arrived is kept. 404 when the stream is gone or the address is another.',
  method: 'PATCH',
  path: '/api/core/upload-streams/:token',
  access: 'token',
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

  async run(input, { remoteIp, content, uploads }: Call & { uploads: Uploads }) {
    const { token, 'Upload-Offset': offset } = input;
    const { stream, announcedBytes: length } = content;
    const row = await uploads.append({ token, remoteIp, offset, stream, length });
    const headers = {
      'upload-offset': String(row.uploaded_size),
      'upload-expires': expiryOf(row, uploads.limits.idle),
    };
    return new Answer({}, { headers });
  },
});
