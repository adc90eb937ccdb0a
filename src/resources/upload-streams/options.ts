// OPTIONS /upload-streams

import { nothing } from '#operations/answers/shapes.ts';
import { Answer, endpoint } from '#operations/endpoint.ts';
import { TUS_MIRRORED, TUS_VERSION } from './model.ts';
import type { Uploads } from './uploads/uploads.ts';

export const options = endpoint({
  title: 'Get upload capabilities',
  method: 'OPTIONS',
  path: '/api/core/upload-streams',
  access: 'none',
  params: {},
  mirrored: TUS_MIRRORED,
  answer: nothing,
  answerStatus: 204,
  answerHeaders: {
    'Tus-Version': 'the version of the tus protocol that is spoken',
    'Tus-Extension': 'its extensions that are offered',
    'Tus-Max-Size': 'bytes that an upload may have at most',
    'Tus-Resumable': 'the same as `Tus-Version`',
  },

  async run(_input, { uploads }: { uploads: Uploads }) {
    const headers = {
      'tus-version': TUS_VERSION,
      'tus-extension': 'creation,termination,expiration',
      'tus-max-size': String(uploads.limits.bytes),
      ...TUS_MIRRORED,
    };
    return new Answer({}, { headers });
  },
});
