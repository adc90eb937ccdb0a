// A log table as it is listed and as it is read alone. What it holds comes from its row, or from the engine while it
// has fresh records; nothing is counted here.

import { toStamp } from '#contract/times.ts';
import { NODE_NAME } from '#contract/values.ts';
import type { LogEngine, TableSpec } from '#engines/engine.ts';
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
  min_day: optional(stamp('Start of the first day that holds a record; absent where the table is empty.')),
  max_day: optional(stamp('Start of the last day that holds a record; absent where the table is empty.')),
  table_size: int64('Bytes of the data.', 1048576),
  index_size: int64('Bytes of the index.', 4096),
  ratio: float64('Share of these bytes in those of all tables, from 0 to 1.', 0.25),
};

const listedFields = {
  table_name: string('Name of the table.', 'web'),
  layout: string('Layout of the stored files: `row` or `columnar`.', 'columnar'),
  compression: string('Codec of the stored files: `deflate` or `snappy`.', 'snappy'),
  retention: int32('Days that records are kept; 0 keeps them without limit.', 30),
  crypto_profile_guid: optional(guidText('GUID of the crypto profile; present only where the table is encrypted.')),
  crypto_profile_name: optional(
    string('Name of the crypto profile; present only where the table is encrypted.', 'Archive'),
  ),
  encrypted: boolean('Whether the stored files are encrypted.'),
  ...storedFields,
  group_guid: optional(guidText('GUID of the table group; absent where the table is in none.')),
  group_name: optional(string('Name of the table group; absent where the table is in none.', 'Network')),
};

export const tableRecord = record('TableSummary', listedFields);

export const wholeTableRecord = record('Table', {
  ...listedFields,
  schema_code: optional(string('Code of the log schema; absent where the table has none.', 'web')),
  shared_users: grantRecords('Users that the table is granted to.'),
  shared_groups: grantRecords('User groups that the table is granted to.'),
  node_stats: arrayOf(record({ node: string('Name of the node.', 'node1'), ...storedFields }))(
    'Figures of each node that stores a part of the table.',
  ),
});

export const specOf = ({ id, name, layout, compression }: TableSpec): TableSpec => ({ id, name, layout, compression });

/** Turns rows into records, with the figures of one moment. */
export class TableRecords {
  readonly #engine: LogEngine;
  readonly #days: Days;
  readonly #zone: string;
  readonly #allBytes: number;
  readonly #stamps = new Map<number, string>();

  /** `sealedBytes` are those of all tables, whoever may see them. */
  constructor({ engine, zone }: { engine: LogEngine; zone: string }, sealedBytes: number) {
    this.#engine = engine;
    this.#zone = zone;
    this.#days = new Days(zone);
    this.#allBytes = sealedBytes + engine.freshBytes();
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

  /** As published, the profile is named only where it encrypts. */
  #protection({ encrypted, crypto_profile_guid, crypto_profile_name }: TableView) {
    if (encrypted !== 1) return { encrypted: false };
    const isNamed = crypto_profile_guid !== null && crypto_profile_name !== null;
    return { ...(isNamed ? { crypto_profile_guid, crypto_profile_name } : {}), encrypted: true };
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

  /** Rows and engine are asked one after the other: what is sealed in between must not make more than all. */
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
