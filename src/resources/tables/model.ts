// A log table as it is listed and as it is read alone. Its figures come from the engine; nothing is counted here.

import { toStamp } from '#contract/times.ts';
import { NODE_NAME } from '#contract/values.ts';
import type { LogEngine, TableSpec, TableStats } from '#engines/engine.ts';
import {
  arrayOf,
  boolean,
  float64,
  guidText,
  int32,
  int64,
  optional,
  record,
  stamp,
  string,
  type TypeOf,
} from '#http/shapes.ts';
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

export const tableRecord = record('TableSummary', listedFields);

export const wholeTableRecord = record('Table', {
  ...listedFields,
  schema_code: optional(string),
  shared_users: grantRecords,
  shared_groups: grantRecords,
  node_stats: arrayOf(record({ node: string, ...storedFields })),
});

export const specOf = ({ id, name, layout, compression }: TableSpec): TableSpec => ({ id, name, layout, compression });

/** Of a table that was removed after its row was read. */
const NO_RECORDS: TableStats = { rows: 0, dataBytes: 0, indexBytes: 0, minTime: undefined, maxTime: undefined };

/** Turns rows into records, with the figures of the engine. */
export class TableRecords {
  readonly #stats: ReadonlyMap<number, TableStats>;
  readonly #days: Days;
  readonly #zone: string;
  /** Bytes of all tables, those that the caller cannot see included. */
  readonly #allBytes: number;
  readonly #stamps = new Map<number, string>();

  private constructor(figures: { stats: ReadonlyMap<number, TableStats>; allBytes: number }, zone: string) {
    this.#stats = figures.stats;
    this.#allBytes = figures.allBytes;
    this.#zone = zone;
    this.#days = new Days(zone);
  }

  static async of(
    tables: readonly Pick<TableView, 'id'>[],
    { engine, zone }: { engine: LogEngine; zone: string },
  ): Promise<TableRecords> {
    const stats = await engine.stats(tables.map(({ id }) => id));
    return new TableRecords({ stats, allBytes: await engine.totalBytes() }, zone);
  }

  listed(table: TableView): TypeOf<typeof tableRecord> {
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

  whole(table: TableView, grants: readonly GrantView[]): TypeOf<typeof wholeTableRecord> {
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
    if (encrypted !== 1) return { encrypted: false };
    const isNamed = crypto_profile_guid !== null && crypto_profile_name !== null;
    return { ...(isNamed ? { crypto_profile_guid, crypto_profile_name } : {}), encrypted: true };
  }

  #stored(table: TableView) {
    const { dataBytes, indexBytes, minTime, maxTime } = this.#stats.get(table.id) ?? NO_RECORDS;
    return {
      ...(minTime === undefined ? {} : { min_day: this.#dayOf(minTime) }),
      ...(maxTime === undefined ? {} : { max_day: this.#dayOf(maxTime) }),
      table_size: dataBytes,
      index_size: indexBytes,
      ratio: this.#ratio(dataBytes + indexBytes),
    };
  }

  /** The figures are of two moments: records that arrive between them must not make a table larger than all tables. */
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
