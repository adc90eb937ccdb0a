// POST /upload-streams/:token/complete

import { type Call, endpoint } from '#http/endpoint.ts';
import { outcomeRecord, TUS_MIRRORED } from './model.ts';
import { token } from './params.ts';
import type { Uploads } from './uploads.ts';

export const complete = endpoint({
  title: 'Complete upload',
  notes:
    'Imports the upload: all its good lines become visible together, or none does. The first 1,000 bad ones are named. Asked again, it answers the same for as long as an upload may rest.',
  method: 'POST',
  path: '/api/core/upload-streams/:token/complete',
  access: 'token',
  params: { token },
  isUnit: false,
  mirrored: TUS_MIRRORED,
  answer: outcomeRecord,

  async run({ token }, { remoteIp, uploads }: Call & { uploads: Uploads }) {
    return await uploads.complete({ token, remoteIp });
  },
});
