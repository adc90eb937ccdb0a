// GET /upload-streams/:token

import type { Nodes } from '#cluster/members/membership.ts';
import { orNull, record } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { foundOrNull } from '#operations/shared-fields.ts';
import { companyOf, streamRecord, streamView, TUS_MIRRORED } from './model.ts';
import { guidToken } from './params.ts';
import { findOpenStream } from './uploads/store.ts';
import type { Uploads } from './uploads/uploads.ts';

export const get = endpoint({
  title: 'Get upload',
  method: 'GET',
  path: '/api/core/upload-streams/:token',
  access: 'ADMIN',
  ownedBy: 'upload',
  params: { token: guidToken },
  mirrored: TUS_MIRRORED,
  answer: record({ stream: orNull(streamRecord)(foundOrNull('upload')) }),

  async run({ token }, { db, caller, uploads, nodes, zone }: Call & { uploads: Uploads; nodes: Nodes; zone: string }) {
    const row = await findOpenStream(db, token, uploads.since);
    const company = companyOf(caller);
    const isSeen = row !== undefined && (company === undefined || row.company_guid === company);
    return { stream: isSeen ? streamView(row, { zone, idle: uploads.limits.idle, node: nodes.own.name }) : null };
  },
});
