// `system tickets`: the tickets that an account may see, read in pages off the main thread.

import type { SystemObject } from '#queries/runs/system-rows.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import type { Db } from '#store/kysely.ts';
import type { TicketRow } from '#store/schema/event-schema.ts';
import type { Store } from '#store/store.ts';
import type { Sealing } from '#vault/sealed/sealing.ts';
import type { Vault } from '#vault/vault.ts';
import { ticketRecords } from './model.ts';
import { memberGuidOf } from './rights.ts';
import { hasSealedTickets, readTickets } from './store.ts';

const PAGE = 200;

export const ticketObject = ({ store, vault }: { readonly store: Store; readonly vault: Vault }): SystemObject => ({
  access: 'MEMBER',
  async *rows({ account, range }) {
    const bounds = { from: range.from?.epochMilliseconds, to: range.to?.epochMilliseconds };
    const sealing = vault.opening();
    let before: number | undefined;
    let tickets: TicketRow[];
    do {
      const page = { member: memberGuidOf(account), ...bounds, before, limit: PAGE };
      tickets = await store.scan((db) => readTickets(db, page));
      yield await store.scan((db) => rowsOf(db, tickets, sealing));
      before = tickets.at(-1)?.id;
    } while (tickets.length === PAGE);
  },
  isSecret: () => store.scan(hasSealedTickets),
});

async function rowsOf(db: Db, tickets: readonly TicketRow[], sealing: Sealing | undefined): Promise<MapValue[]> {
  const records = await ticketRecords(db, tickets, { zone: 'UTC', sealing });
  return records.map((record, index) => {
    const { created_at, updated_at, closed_at } = tickets[index] ?? missing();
    const usersWith = (type: string) =>
      record.assignees.filter(({ task_type }) => task_type === type).map(({ user_name }) => user_name);
    return new Map<string, Value>([
      ['_time', dateOf(created_at)],
      ['id', BigInt(record.id)],
      ['guid', record.guid],
      ['repo_guid', record.repo_guid],
      ['repo_name', record.repo_name],
      ['title', record.title],
      ['priority', BigInt(record.priority)],
      ['status', record.status],
      ['format', record.format],
      ['content', record.content ?? null],
      ['count', BigInt(record.count)],
      ['attack', record.attack],
      ['incident', record.incident],
      ['rule_guid', record.rule_guid],
      ['assignees', usersWith('ASSIGNEE')],
      ['approvers', usersWith('APPROVER')],
      ['created_at', dateOf(created_at)],
      ['updated_at', dateOf(updated_at)],
      ['closed_at', closed_at === null ? null : dateOf(closed_at)],
    ]);
  });
}

const dateOf = (time: number): Temporal.Instant => Temporal.Instant.fromEpochMilliseconds(time);

function missing(): never {
  throw new Error('every record is made of a row');
}
