// Records of log tables, in lists and alone. Figures come from the row, or from the engine while it has unsealed records; nothing
// is counted here.

import { toStamp } from '#contract/times.ts';
import { NODE_NAME } from '#contract/values.ts';
import type { LogEngine, TableSpec } from '#engines/engine.ts';
import { arrayOf, boolean, float64, guidText, int32, int64, object, optional, stamp, string } from '#http/shapes.ts';
import { Days } from '#kernel/days.ts';
import { type GrantView, grantRecord, grantRecords } from '#objects/grants.ts';
import type { TableView } from './store.ts';

const storedFields = {
  min_day: optional(stamp),
  max_day: optional(stamp),
  table_size: int64,
  index_size: int64,
  ratio: float64,
};

const listedFields = {
  table_name: string,
  layout: string,
  compression: string,
  retention: int32,
  crypto_profile_guid: optional(guidText),
  crypto_profile_name: optional(string),
  encrypted: boolean,
  ...storedFields,
  group_guid: optional(guidText),
  group_name: optional(string),
};

export const tableRecord = object(listedFields);

export const wholeTableRecord = object({
  ...listedFields,
  schema_code: optional(string),
  shared_users: grantRecords,
  shared_groups: grantRecords,
  node_stats: arrayOf(object({ node: string, ...storedFields })),
});

export const specOf = ({ id, name, layout, compression }: TableSpec): TableSpec => ({ id, name, layout, compression });

/** Builds records with figures of one moment. */
export class TableRecords {
  readonly #engine: LogEngine;
  readonly #days: Days;
  readonly #zone: string;
  readonly #allBytes: number;
  readonly #stamps = new Map<number, string>();

  /** `sealedBytes` includes tables that the caller may not see. */
  constructor({ engine, zone }: { engine: LogEngine; zone: string }, sealedBytes: number) {
    this.#engine = engine;
    this.#zone = zone;
    this.#days = new Days(zone);
    this.#allBytes = sealedBytes + engine.freshBytes();
  }

  listed(table: TableView) {
    return {
      table_name: table.name,
      layout: table.layout,
      compression: table.compression,
      retention: table.retention,
      ...this.#protection(table),
      ...this.#stored(table),
      ...(table.group_guid === null ? {} : { group_guid: table.group_guid }),
      ...(table.group_name === null ? {} : { group_name: table.group_name }),
    };
  }

  whole(table: TableView, grants: readonly GrantView[]) {
    return {
      ...this.listed(table),
      ...(table.schema_code === null ? {} : { schema_code: table.schema_code }),
      shared_users: this.#granted(grants, 'user'),
      shared_groups: this.#granted(grants, 'group'),
      node_stats: [{ node: NODE_NAME, ...this.#stored(table) }],
    };
  }

  /** The contract names the profile only for encrypted tables. */
  #protection({ encrypted, crypto_profile_guid, crypto_profile_name }: TableView) {
    return encrypted === 1 ? { crypto_profile_guid, crypto_profile_name, encrypted: true } : { encrypted: false };
  }

  #stored(table: TableView) {
    const fresh = this.#engine.stats(table.id);
    const dataBytes = fresh?.dataBytes ?? table.sealed_bytes;
    const indexBytes = fresh?.indexBytes ?? 0;
    const minTime = fresh ? fresh.minTime : (table.min_time ?? undefined);
    const maxTime = fresh ? fresh.maxTime : (table.max_time ?? undefined);
    return {
      ...(minTime === undefined ? {} : { min_day: this.#dayOf(minTime) }),
      ...(maxTime === undefined ? {} : { max_day: this.#dayOf(maxTime) }),
      table_size: dataBytes,
      index_size: indexBytes,
      ratio: this.#ratio(dataBytes + indexBytes),
    };
  }

  /** Rows and engine are read one after the other: records sealed in between must not count twice. */
  #ratio(bytes: number): number {
    return this.#allBytes === 0 ? 0 : Math.min(1, bytes / this.#allBytes);
  }

  #dayOf(time: number): string {
    const { begins } = this.#days.of(time);
    const known = this.#stamps.get(begins) ?? toStamp(Temporal.Instant.fromEpochMilliseconds(begins), this.#zone);
    this.#stamps.set(begins, known);
    return known;
  }

  #granted(grants: readonly GrantView[], kind: GrantView['holder_kind']) {
    return grants.filter(({ holder_kind }) => holder_kind === kind).map((grant) => grantRecord(grant, this.#zone));
  }
}
