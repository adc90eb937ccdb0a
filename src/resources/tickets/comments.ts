// GET and POST /tickets/:guid/comments

import { newGuid } from '#kernel/guid.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { created, listOf } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { paging, required, text } from '#operations/params/params.ts';
import { guidOf } from '#operations/shared-fields.ts';
import { commentRecord, commentRecords } from './model.ts';
import { requireChangeable, requireVisible } from './rights.ts';
import { listComments as findComments, insertComment, updateTicket } from './store.ts';

export const listComments = endpoint({
  title: 'List ticket comments',
  notes: 'In the order in which they were written. A comment changes `updated_at` of its ticket.',
  method: 'GET',
  path: '/api/core/tickets/:guid/comments',
  access: 'MEMBER',
  params: { guid: guidOf('ticket'), ...paging },
  answer: listOf('comments', commentRecord),

  async run({ guid, ...input }, { db, caller, zone }: Call & { zone: string }) {
    await requireVisible(db, guid, caller);
    const { total, rows } = await findComments(db, guid, input);
    return { total_count: total, comments: await commentRecords(db, rows, zone) };
  },
});

export const createComment = endpoint({
  title: 'Create ticket comment',
  method: 'POST',
  path: '/api/core/tickets/:guid/comments',
  access: 'MEMBER',
  audit: 'tickets.comment',
  params: { guid: guidOf('ticket'), content: required(text(100_000), 'Text of the comment.') },
  answer: created,

  async run(input, { db, caller, clock, note }: Call & { clock: Clock }) {
    await requireChangeable(db, input.guid, caller);
    const now = clock.now().epochMilliseconds;
    const comment = { guid: newGuid(), ticket_guid: input.guid, user_guid: caller.userGuid, content: input.content };
    await insertComment(db, { ...comment, created_at: now });
    await updateTicket(db, input.guid, {}, now);
    note({ comment_guid: comment.guid });
    return { guid: comment.guid };
  },
});
