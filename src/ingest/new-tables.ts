// Tables made for logs that come for them, with the defaults of a new table. An own entry of the audit trail records each.

import { tooLong, wrongTableName } from '#contract/errors.ts';
import type { LogEngine, NewTable } from '#engines/engine.ts';
import type { UnitEntry } from '#http/endpoint.ts';
import type { Clock } from '#kernel/clock.ts';
import { searchText } from '#kernel/search-text.ts';
import type { Db } from '#store/kysely.ts';
import type { LogTableRow } from '#store/schema.ts';
import type { Store } from '#store/store.ts';

export const MAX_TABLE_NAME = 50;
export const TABLE_NAME = /^[A-Za-z][A-Za-z0-9_]*$/;

/** Refuses a name that no table can have. */
export function requireTableName(name: string): void {
  if ([...name].length > MAX_TABLE_NAME) throw tooLong('table', MAX_TABLE_NAME);
  if (!TABLE_NAME.test(name)) throw wrongTableName(name);
}

export const TABLE_DEFAULTS = { layout: 'columnar', compression: 'snappy', retention: 0 } as const;

/** The row of a new table; `fields` in place of defaults. */
export const newTableRow = (name: string, now: number, fields: Partial<NewTable> = {}): NewTable => ({
  name,
  ...TABLE_DEFAULTS,
  group_guid: null,
  schema_code: null,
  crypto_profile_guid: null,
  encrypted: 0,
  expect_every: 0,
  alarm_group_guid: null,
  expected_since: now,
  ...fields,
  search: searchText([name]),
  created_at: now,
  updated_at: now,
});

interface NewTablesDeps {
  readonly store: Store;
  readonly engine: LogEngine;
  readonly clock: Clock;
}

export class NewTables {
  readonly #deps: NewTablesDeps;

  constructor(deps: NewTablesDeps) {
    this.#deps = deps;
  }

  /** The table of this name, which must be a valid one: made unless another call has made it meanwhile. */
  async ensure(name: string, entry: UnitEntry): Promise<LogTableRow> {
    const { store, engine, clock } = this.#deps;
    return await store.inTime(
      store.write(async (db) => {
        const known = await find(db, name).executeTakeFirst();
        if (known) return known;
        await engine.insertTable(db, newTableRow(name, clock.now().epochMilliseconds));
        const made = await find(db, name).executeTakeFirstOrThrow();
        entry.addOf('tables.create', { table: name }, { table: name, name });
        return made;
      }),
    );
  }
}

const find = (db: Db, name: string) => db.selectFrom('log_tables').selectAll().where('name', '=', name);
