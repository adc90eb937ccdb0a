// The operations of tickets.

import { createComment, listComments } from './comments.ts';
import { create } from './create.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { setIncident, setPriority } from './set.ts';
import { decide, reportWork, submit } from './work.ts';

export const tickets = [
  list,
  get,
  create,
  setPriority,
  setIncident,
  reportWork,
  submit,
  decide,
  listComments,
  createComment,
] as const;
