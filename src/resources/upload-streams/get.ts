// GET /upload-streams/:token

import { type Call, endpoint } from '#http/endpoint.ts';
import { object, orNull } from '#http/shapes.ts';
import { streamRecord, streamView, TUS_MIRRORED } from './model.ts';
import { guidToken } from './params.ts';
import { findStream } from './store.ts';
import type { Uploads } from './uploads.ts';

export const get = endpoint({
  title: 'Get upload',
  method: 'GET',
  path: '/api/core/upload-streams/:token',
  access: 'MASTER',
  params: { token: guidToken },
  mirrored: TUS_MIRRORED,
  answer: object({ stream: orNull(streamRecord) }),

  async run({ token }, { db, uploads, zone }: Call & { uploads: Uploads; zone: string }) {
    const row = await findStream(db, token, uploads.since);
    const isInProgress = row !== undefined && row.outcome === null;
    return { stream: isInProgress ? streamView(row, { zone, idle: uploads.limits.idle }) : null };
  },
});
