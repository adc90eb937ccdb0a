// `system OBJECT` for a family: the records that its list operation answers with.

import type { Clock } from '#kernel/time/clock.ts';
import { recordRow, type SystemObject } from '#queries/runs/system-rows.ts';
import type { Value } from '#query/model/values.ts';
import type { Store } from '#store/store.ts';
import type { Vault } from '#vault/vault.ts';
import type { AnyFamily } from './family.ts';
import { recordsOf } from './records.ts';
import { listRows } from './rows.ts';

const PAGE = 200;
const DATES = ['created', 'updated'];

interface FamilyObjectDeps {
  readonly store: Store;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly zone: string;
}

/** `complete` adds columns that the record lacks. */
export const familyObject = (
  family: AnyFamily,
  { store, vault, clock, zone }: FamilyObjectDeps,
  complete: (row: Map<string, Value>) => Map<string, Value> = (row) => row,
): SystemObject => ({
  access: family.readers ?? 'MEMBER',
  async *rows({ account: caller }) {
    let records: readonly object[];
    let offset = 0;
    do {
      const page = { keywords: undefined, flags: {}, offset, limit: PAGE };
      const now = clock.now().epochMilliseconds;
      records = await store.read(async (db) => {
        const { rows } = await listRows(db, family, caller, page);
        return await recordsOf(rows, 'listed', { family, db, caller, zone, vault, now });
      });
      yield records.map((record) => complete(recordRow(record, DATES)));
      offset += PAGE;
    } while (records.length === PAGE);
  },
});
