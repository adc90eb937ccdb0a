// The SQL of tickets. `member` restricts the result to granted repositories; undefined sees all.

import { idsContaining } from '#detection/events/sealed-search.ts';
import { openTicket } from '#detection/events/sealing.ts';
import type { Db } from '#store/kysely.ts';
import { grantedObjects, objectGrantsOf } from '#store/rows/grants.ts';
import { containsKeyword, inChunks, type Page, type Paging } from '#store/rows/lists.ts';
import { insertEach } from '#store/rows/many.ts';
import type { NewTicket, TicketCommentRow, TicketRow, TicketTaskRow } from '#store/schema/event-schema.ts';
import type { Sealing } from '#vault/sealed/sealing.ts';

export const SORT_COLUMNS = ['id', 'created_at', 'updated_at', 'closed_at'] as const;
/** Family of ticket repositories. */
const REPOS = 'ticket-repos';
/** Open tickets sort after closed ones. */
const NEVER = Number.MAX_SAFE_INTEGER;

interface TicketFilter extends Paging {
  readonly member: string | undefined;
  /** Epoch milliseconds, both included. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly statuses: readonly TicketRow['status'][] | undefined;
  readonly keywords: string | undefined;
  readonly priorities: readonly number[] | undefined;
  readonly assignees: readonly string[] | undefined;
  readonly approvers: readonly string[] | undefined;
  readonly sort_type: 'ASC' | 'DESC';
  readonly sort_column: (typeof SORT_COLUMNS)[number];
}

export async function listTickets(
  db: Db,
  wanted: TicketFilter,
  sealing: Sealing | undefined,
): Promise<Page<TicketRow>> {
  const ids = await sealedIds(db, wanted, sealing);
  const matching = matchingOf(db, wanted).where((eb) => {
    const inClear = containsKeyword('tickets', wanted.keywords)(eb);
    return ids.length === 0 ? inClear : eb.or([inClear, eb('tickets.id', 'in', ids)]);
  });
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const direction = wanted.sort_type === 'ASC' ? 'asc' : 'desc';
  const { sort_column: column } = wanted;
  const sorted =
    column === 'closed_at'
      ? matching.orderBy((eb) => eb.fn.coalesce('tickets.closed_at', eb.lit(NEVER)), direction)
      : matching.orderBy(`tickets.${column}`, direction);
  const page = sorted.orderBy('tickets.id', direction).limit(wanted.limit).offset(wanted.offset);
  return { total, rows: await page.selectAll('tickets').execute() };
}

/** Ids of sealed tickets that contain the keywords. */
async function sealedIds(db: Db, wanted: TicketFilter, sealing: Sealing | undefined): Promise<readonly number[]> {
  if (wanted.keywords === undefined || !sealing) return [];
  const sealed = matchingOf(db, wanted)
    .select(['tickets.id', 'tickets.guid', 'tickets.title', 'tickets.content', 'tickets.sealed'])
    .where('tickets.sealed', 'is not', null)
    .orderBy('tickets.id', 'desc');
  return await idsContaining(wanted.keywords, {
    page: (before, limit) =>
      (before === undefined ? sealed : sealed.where('tickets.id', '<', before)).limit(limit).execute(),
    fieldsOf(row) {
      const { title, content } = openTicket(row, sealing);
      return [title, content];
    },
  });
}

/** Which tickets are read, newest first, a page at a time. */
interface TicketPage {
  readonly member: string | undefined;
  /** Epoch milliseconds of the creation: the first included, the second not. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** The id of the last ticket that was read. */
  readonly before: number | undefined;
  readonly limit: number;
}

export async function readTickets(db: Db, { member, from, to, before, limit }: TicketPage): Promise<TicketRow[]> {
  let matching = visible(db, member).selectAll('tickets');
  // The sum keeps the database from an index of times: each page would sort all tickets of the range by their ids.
  if (from !== undefined) matching = matching.where((eb) => eb(eb('created_at', '+', 0), '>=', from));
  if (to !== undefined) matching = matching.where((eb) => eb(eb('created_at', '+', 0), '<', to));
  if (before !== undefined) matching = matching.where('tickets.id', '<', before);
  return await matching.orderBy('tickets.id', 'desc').limit(limit).execute();
}

export const hasSealedTickets = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('tickets').select('id').where('sealed', 'is not', null).limit(1).executeTakeFirst()) !==
  undefined;

/** All filters except keywords. */
function matchingOf(db: Db, wanted: TicketFilter) {
  const { from, to, statuses, priorities, assignees, approvers } = wanted;
  let matching = visible(db, wanted.member);
  if (from !== undefined) matching = matching.where('created_at', '>=', from);
  if (to !== undefined) matching = matching.where('created_at', '<=', to);
  if (statuses) matching = matching.where('status', 'in', [...statuses]);
  if (priorities) matching = matching.where('priority', 'in', [...priorities]);
  if (assignees) matching = matching.where('guid', 'in', withTask(db, 'ASSIGNEE', assignees));
  if (approvers) matching = matching.where('guid', 'in', withTask(db, 'APPROVER', approvers));
  return matching;
}

const withTask = (db: Db, type: TicketTaskRow['task_type'], users: readonly string[]) =>
  db
    .selectFrom('ticket_tasks')
    .select('ticket_guid')
    .where('task_type', '=', type)
    .where('user_guid', 'in', [...users]);

export const findTicket = (db: Db, guid: string, member: string | undefined): Promise<TicketRow | undefined> =>
  visible(db, member).selectAll('tickets').where('guid', '=', guid).executeTakeFirst();

function visible(db: Db, member: string | undefined) {
  const tickets = db.selectFrom('tickets');
  return member === undefined ? tickets : tickets.where('repo_guid', 'in', grantedObjects(db, REPOS, member));
}

/** Whether a grant allows a user to write into a repository. */
export async function hasWritingGrant(db: Db, repo: string, user: string): Promise<boolean> {
  const grants = objectGrantsOf(db, REPOS, user).where('object_guid', '=', repo).where('read_only', '=', 0);
  return (await grants.select('object_guid').executeTakeFirst()) !== undefined;
}

/** Assignees first, in the order of assignment. */
export const tasksOf = (db: Db, tickets: readonly string[]): Promise<TicketTaskRow[]> =>
  inChunks(tickets, (chunk) =>
    db
      .selectFrom('ticket_tasks')
      .selectAll()
      .where('ticket_guid', 'in', [...chunk])
      .orderBy('ticket_guid')
      .orderBy('task_type', 'desc')
      .orderBy('ordinal')
      .execute(),
  );

export async function insertTicket(db: Db, ticket: NewTicket, tasks: readonly TicketTaskRow[]): Promise<void> {
  await db.insertInto('tickets').values(ticket).execute();
  await insertEach(db, 'ticket_tasks', tasks);
}

type TicketChange = Partial<Pick<TicketRow, 'priority' | 'incident' | 'status' | 'closed_at'>>;

export async function updateTicket(db: Db, guid: string, change: TicketChange, now: number): Promise<void> {
  await db
    .updateTable('tickets')
    .set({ ...change, updated_at: now })
    .where('guid', '=', guid)
    .execute();
}

export async function setTask(db: Db, task: Omit<TicketTaskRow, 'ordinal'>): Promise<void> {
  const { ticket_guid, task_type, user_guid, task_status } = task;
  await db
    .updateTable('ticket_tasks')
    .set({ task_status })
    .where('ticket_guid', '=', ticket_guid)
    .where('task_type', '=', task_type)
    .where('user_guid', '=', user_guid)
    .execute();
}

/** Resets earlier decisions. */
export async function resetApprovals(db: Db, ticket: string): Promise<void> {
  const tasks = db.updateTable('ticket_tasks').set({ task_status: 'ASSIGNED' }).where('ticket_guid', '=', ticket);
  await tasks.where('task_type', '=', 'APPROVER').execute();
}

/** Oldest first. */
export async function listComments(db: Db, ticket: string, paging: Paging): Promise<Page<TicketCommentRow>> {
  const matching = db.selectFrom('ticket_comments').where('ticket_guid', '=', ticket);
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const page = matching.selectAll().orderBy('id').limit(paging.limit).offset(paging.offset);
  return { total, rows: await page.execute() };
}

export async function insertComment(db: Db, comment: Omit<TicketCommentRow, 'id'>): Promise<void> {
  await db.insertInto('ticket_comments').values(comment).execute();
}
