// `system events`: the events that an account may see, read in pages off the main thread.

import { openEvent } from '#detection/events/sealing.ts';
import type { SystemObject } from '#queries/runs/system-rows.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import { strictJson } from '#query/values/formats/strict-json.ts';
import type { EventRow } from '#store/schema/event-schema.ts';
import type { Store } from '#store/store.ts';
import type { Vault } from '#vault/vault.ts';
import { memberOf } from './filters.ts';
import { hasSealedEvents, readEvents } from './store.ts';

const PAGE = 500;

export const eventObject = ({ store, vault }: { readonly store: Store; readonly vault: Vault }): SystemObject => ({
  access: 'MEMBER',
  async *rows({ account, range }) {
    const member = memberOf(account);
    const bounds = { from: range.from?.epochMilliseconds, to: range.to?.epochMilliseconds };
    const sealing = vault.opening();
    let before: number | undefined;
    let rows: EventRow[];
    do {
      rows = await store.scan((db) => readEvents(db, { member, ...bounds, before, limit: PAGE }));
      yield rows.map((row) => rowOf(openEvent(row, sealing)));
      before = rows.at(-1)?.id;
    } while (rows.length === PAGE);
  },
  isSecret: () => store.scan(hasSealedEvents),
});

function rowOf(event: EventRow): MapValue {
  return new Map<string, Value>([
    ['_time', dateOf(event.last_time)],
    ['id', BigInt(event.id)],
    ['guid', event.guid],
    ['rule_type', event.rule_type],
    ['rule_guid', event.rule_guid],
    ['rule_name', event.rule_name],
    ['rule_version', BigInt(event.rule_version)],
    ['priority', event.priority],
    ['category_guid', event.category_guid],
    ['category_name', event.category_name],
    ['msg', event.msg],
    ['suppress_key', event.suppress_key === '' ? null : event.suppress_key],
    ['count', BigInt(event.count)],
    // A text where it is sealed and cannot be opened.
    ['fields', strictJson(event.fields) ?? null],
    ['first_time', dateOf(event.first_time)],
    ['last_time', dateOf(event.last_time)],
    ['query_id', event.query_id === null ? null : BigInt(event.query_id)],
    ['ticket_guid', event.ticket_guid],
    ['created', dateOf(event.created_at)],
    ['updated', dateOf(event.updated_at)],
    ['status', event.status],
    ['status_reason', event.status_reason],
    ['status_user', event.status_user],
    ['status_time', event.status_time === null ? null : dateOf(event.status_time)],
  ]);
}

const dateOf = (time: number): Temporal.Instant => Temporal.Instant.fromEpochMilliseconds(time);
