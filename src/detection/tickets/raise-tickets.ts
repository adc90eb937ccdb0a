// Tickets that rules raise: for every event, or when the events of a key reach the threshold. Further events of the key join an
// open ticket.

import { isWithin } from '#detection/events/matches.ts';
import type { RaiseInput, RuleVersion } from '#detection/events/raise-input.ts';
import { sealTicket } from '#detection/events/sealing.ts';
import type { Snapshot } from '#detection/rules/snapshot.ts';
import { newGuid } from '#kernel/guid.ts';
import { searchText } from '#kernel/text/search-text.ts';
import { forEachYielding } from '#runtime/event-loop.ts';
import type { Db } from '#store/kysely.ts';
import { inChunks } from '#store/rows/lists.ts';
import { insertEach, updateEach } from '#store/rows/many.ts';
import { exists, resolveReferences } from '#store/rows/resolve.ts';
import type { NewEvent, NewTicket, TicketTaskRow } from '#store/schema/event-schema.ts';
import { MAX_TITLE, PRIORITY_NUMBERS } from './ticket-values.ts';
import { TicketWindow } from './ticket-window.ts';

interface TicketsResult {
  readonly raised: number;
  /** The repository, if it was removed. */
  readonly missing?: string;
}

/** The ticket settings of a rule. */
interface TicketPolicy {
  readonly repo: string;
  /** Number of events for a ticket. */
  readonly threshold: number;
  readonly intervalMs: number;
  readonly assignees: readonly string[];
}

/** A ticket of a key, stored or new: events join it while it is open. */
interface KeyedTicket {
  readonly guid: string;
  /** Undefined for a new ticket. */
  readonly id: number | undefined;
  /** Time of its first event. */
  readonly since: number;
  count: number;
  readonly isClosed: boolean;
}

/** The tickets of each key, the newest last. */
type TicketsByKey = Map<string, KeyedTicket[]>;

/** Assigns tickets to events, which are in the order of time and not written yet. */
export async function raiseTickets(db: Db, input: RaiseInput, events: readonly NewEvent[]): Promise<TicketsResult> {
  const policy = policyOf(input.rule.content);
  if (!policy || events.length === 0) return { raised: 0 };
  if (!(await exists(db, 'ticket repository', policy.repo))) {
    return { raised: 0, missing: `ticket repository ${policy.repo}` };
  }
  const keys = [...new Set(events.map((event) => event.suppress_key))];
  const range = { keys, earliest: events[0]?.first_time ?? 0, latest: events.at(-1)?.first_time ?? 0 };
  const known = await ticketsNear(db, input.rule, range, policy);
  const waiting = await loadWindows(db, input.rule, range, policy);
  const { fresh, joined, late } = await groupByTicket(events, { policy, known, waiting });
  await insertTickets(db, fresh, policy, input);
  const growth = joined.map(({ id = 0, count }) => ({ id, count, updated_at: input.now }));
  await updateEach(db, 'tickets', 'id', growth);
  for (const [ticket_guid, guids] of late) {
    await inChunks(guids, (chunk) =>
      db
        .updateTable('events')
        .set({ ticket_guid })
        .where('guid', 'in', [...chunk])
        .returning('guid')
        .execute(),
    );
  }
  return { raised: fresh.length };
}

function policyOf(content: Snapshot): TicketPolicy | undefined {
  const { ticket_issue_cond: condition, ticket_repo_guid: repo } = content;
  if ((condition !== 'ALWAYS' && condition !== 'ETIR_THRESHOLD') || typeof repo !== 'string') return undefined;
  const assignees = content.ticket_assignee_guids;
  return {
    repo,
    threshold: condition === 'ALWAYS' ? 1 : Number(content.ticket_threshold ?? 1),
    intervalMs: Number(content.ticket_suppress_interval ?? 0) * 1000,
    assignees: Array.isArray(assignees) ? [...new Set(assignees.map(String))] : [],
  };
}

/** A stored event without ticket. */
interface EarlierEvent {
  readonly guid: string;
  readonly first_time: number;
}

type WindowsByKey = Map<string, TicketWindow<NewEvent | EarlierEvent>>;

interface GroupingContext {
  readonly policy: TicketPolicy;
  /** New tickets are added. */
  readonly known: TicketsByKey;
  /** By key. */
  readonly waiting: WindowsByKey;
}

interface TicketGroups {
  readonly fresh: readonly { readonly ticket: KeyedTicket; readonly event: NewEvent }[];
  readonly joined: readonly KeyedTicket[];
  /** By ticket: its stored events. */
  readonly late: ReadonlyMap<string, readonly string[]>;
}

async function groupByTicket(
  events: readonly NewEvent[],
  { policy, known, waiting }: GroupingContext,
): Promise<TicketGroups> {
  const fresh: { ticket: KeyedTicket; event: NewEvent }[] = [];
  const joined = new Set<KeyedTicket>();
  const late = new Map<string, string[]>();
  const merging = { intervalMs: policy.intervalMs, isRenewed: false };
  await forEachYielding(events, (event) => {
    const { suppress_key: key, first_time: time } = event;
    const tickets = known.get(key) ?? [];
    known.set(key, tickets);
    const current = tickets.findLast(({ since }) => isWithin(time, { first: since, last: since }, merging));
    if (current && !current.isClosed) {
      event.ticket_guid = current.guid;
      current.count += 1;
      if (current.id !== undefined) joined.add(current);
      return;
    }
    const others = waiting.get(key) ?? new TicketWindow<NewEvent | EarlierEvent>();
    waiting.set(key, others);
    const together = others.add(event, policy);
    if (together.length === 0) return;
    const ticket = { guid: newGuid(), id: undefined, since: time, count: together.length, isClosed: false };
    tickets.push(ticket);
    fresh.push({ ticket, event });
    const earlier: string[] = [];
    for (const one of together) {
      if ('ticket_guid' in one) one.ticket_guid = ticket.guid;
      else earlier.push(one.guid);
    }
    if (earlier.length > 0) late.set(ticket.guid, earlier);
  });
  return { fresh, joined: [...joined], late };
}

interface EventRange {
  readonly keys: readonly string[];
  readonly earliest: number;
  readonly latest: number;
}

/** Stored tickets that events of this range may join: late events belong to earlier ones. */
async function ticketsNear(
  db: Db,
  { kind, guid }: RuleVersion,
  { keys, earliest, latest }: EventRange,
  { intervalMs }: TicketPolicy,
): Promise<TicketsByKey> {
  if (intervalMs === 0) return new Map();
  const rows = await inChunks(keys, (chunk) =>
    db
      .selectFrom('tickets')
      .select(['id', 'guid', 'suppress_key', 'event_time', 'count', 'status'])
      .where('rule_guid', '=', guid)
      .where('rule_type', '=', kind)
      .where('suppress_key', 'in', [...chunk])
      .where('event_time', '>', earliest - intervalMs)
      .where('event_time', '<', latest + intervalMs)
      .orderBy('id')
      .execute(),
  );
  const byKey: TicketsByKey = new Map();
  for (const { id, guid: own, suppress_key, event_time, count, status } of rows) {
    const ticket = { id, guid: own, since: event_time ?? 0, count, isClosed: status === 'CLOSED' };
    byKey.set(suppress_key ?? '', [...(byKey.get(suppress_key ?? '') ?? []), ticket]);
  }
  return byKey;
}

/** Stored events within the interval of the new ones; none for a threshold of one. */
async function loadWindows(
  db: Db,
  { kind, guid }: RuleVersion,
  { keys, earliest, latest }: EventRange,
  { threshold, intervalMs }: TicketPolicy,
): Promise<WindowsByKey> {
  if (threshold === 1 || intervalMs === 0) return new Map();
  const rows = await inChunks(keys, (chunk) =>
    db
      .selectFrom('events')
      .select(['guid', 'suppress_key', 'first_time'])
      .where('rule_guid', '=', guid)
      .where('rule_type', '=', kind)
      .where('suppress_key', 'in', [...chunk])
      .where('ticket_guid', 'is', null)
      .where('first_time', '>', earliest - intervalMs)
      .where('first_time', '<', latest + intervalMs)
      .orderBy('first_time')
      .orderBy('id')
      .execute(),
  );
  const byKey = Map.groupBy(rows, ({ suppress_key }) => suppress_key);
  return new Map([...byKey].map(([key, some]) => [key, new TicketWindow<NewEvent | EarlierEvent>(some)]));
}

async function insertTickets(
  db: Db,
  fresh: TicketGroups['fresh'],
  policy: TicketPolicy,
  input: RaiseInput,
): Promise<void> {
  if (fresh.length === 0) return;
  const references = policy.assignees.map((key) => ({ thing: 'user' as const, key }));
  const found = await resolveReferences(db, references);
  const assignees = policy.assignees.filter((key) => found.nameOf({ thing: 'user', key }) !== undefined);
  const tickets: NewTicket[] = [];
  await forEachYielding(fresh, ({ ticket, event }) =>
    tickets.push(sealTicket(ticketOf(ticket, event, { policy, input, assignees }), input.sealing)),
  );
  await insertEach(db, 'tickets', tickets);
  const tasks = fresh.flatMap(({ ticket }) =>
    assignees.map(
      (user_guid, ordinal): TicketTaskRow => ({
        ticket_guid: ticket.guid,
        task_type: 'ASSIGNEE',
        ordinal,
        user_guid,
        task_status: 'ASSIGNED',
      }),
    ),
  );
  await insertEach(db, 'ticket_tasks', tasks);
}

function ticketOf(
  { guid, since, count }: KeyedTicket,
  event: NewEvent,
  { policy, input, assignees }: { policy: TicketPolicy; input: RaiseInput; assignees: readonly string[] },
): NewTicket {
  const { rule, now } = input;
  const title = [...event.msg].slice(0, MAX_TITLE).join('');
  return {
    guid,
    repo_guid: policy.repo,
    title,
    priority: PRIORITY_NUMBERS[event.priority] ?? 1,
    status: assignees.length === 0 ? 'NEW' : 'ASSIGNED',
    format: 'JSON',
    content: event.fields,
    count,
    attack: 0,
    incident: 0,
    rule_type: rule.kind,
    rule_guid: rule.guid,
    suppress_key: event.suppress_key,
    event_time: since,
    sealed: null,
    search: searchText([title, event.fields]),
    created_at: now,
    updated_at: now,
    closed_at: null,
  };
}
