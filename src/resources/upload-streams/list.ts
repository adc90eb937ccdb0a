// GET /upload-streams

import type { Nodes } from '#cluster/members/membership.ts';
import { listOf } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { keywords, paging } from '#operations/params/params.ts';
import { companyOf, streamRecord, streamView, TUS_MIRRORED } from './model.ts';
import { listStreams } from './uploads/store.ts';
import type { Uploads } from './uploads/uploads.ts';

export const list = endpoint({
  title: 'List uploads',
  notes:
    'Those in progress, newest first; an ADMIN sees those of accounts of its company. `keywords` is contained in the file name or the login.',
  method: 'GET',
  path: '/api/core/upload-streams',
  access: 'ADMIN',
  params: { ...paging, keywords },
  mirrored: TUS_MIRRORED,
  answer: listOf('streams', streamRecord),

  async run(input, { db, caller, uploads, nodes, zone }: Call & { uploads: Uploads; nodes: Nodes; zone: string }) {
    const { total, rows } = await listStreams(db, { ...input, since: uploads.since, company: companyOf(caller) });
    const context = { zone, idle: uploads.limits.idle, node: nodes.own.name };
    return { total_count: total, streams: rows.map((row) => streamView(row, context)) };
  },
});
