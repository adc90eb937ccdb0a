// GET /upload-streams

import { type Call, endpoint } from '#http/endpoint.ts';
import { anyText, paging } from '#http/params.ts';
import { listOf } from '#http/shapes.ts';
import { streamRecord, streamView, TUS_MIRRORED } from './model.ts';
import { listStreams } from './store.ts';
import type { Uploads } from './uploads.ts';

export const list = endpoint({
  title: 'List uploads',
  notes: 'Those in progress, newest first. `keywords` is contained in the file name or the login.',
  method: 'GET',
  path: '/api/core/upload-streams',
  access: 'MASTER',
  params: { ...paging, keywords: anyText },
  mirrored: TUS_MIRRORED,
  answer: listOf('streams', streamRecord),

  async run(input, { db, uploads, zone }: Call & { uploads: Uploads; zone: string }) {
    const { total, rows } = await listStreams(db, { ...input, since: uploads.since });
    const { idle } = uploads.limits;
    return { total_count: total, streams: rows.map((row) => streamView(row, { zone, idle })) };
  },
});
