// A log table as it is listed and as it is read alone. Its figures come from the engine; nothing is counted here.

import { toStamp } from '#contract/times.ts';
import { Days } from '#kernel/time/days.ts';
import {
  COMPRESSIONS,
  LAYOUTS,
  LOCATIONS,
  type Location,
  type LogStore,
  type TableSpec,
  type TableStats,
} from '#logs/log-store.ts';
import { type GrantView, grantRecord, grantRecords } from '#objects/grants.ts';
import {
  arrayOf,
  boolean,
  choice,
  float64,
  guidText,
  int32,
  int64,
  optional,
  orNull,
  record,
  stamp,
  string,
  type TypeOf,
} from '#operations/answers/shapes.ts';
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
  layout: choice(LAYOUTS)('Layout of the stored files.', 'columnar'),
  compression: choice(COMPRESSIONS)(
    'Class of codecs of the stored files: `snappy` is fast, `deflate` is dense.',
    'snappy',
  ),
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
  expect_every: int32('Seconds without a record after which an alarm is raised; 0 for none.', 0),
  alarm_group_guid: optional(guidText('GUID of the alarm group for it; absent where the table has none.')),
  alarm_group_name: optional(orNull(string)('Name of the alarm group; null where it has been removed.', 'On duty')),
  silent_since: orNull(stamp)('Time since which expected records have not arrived; null where they do.'),
  shared_users: grantRecords('Users that the table is granted to.'),
  shared_groups: grantRecords('User groups that the table is granted to.'),
  node_stats: arrayOf(record({ node: string('Name of the node.', 'node1'), ...storedFields }))(
    'Figures of each node that stores a part of the table.',
  ),
  engine: choice([...LOCATIONS, 'both'] as const)('Where the records are.', 'embedded'),
});

export const specOf = ({ id, name, layout, compression }: TableSpec): TableSpec => ({ id, name, layout, compression });

/** Of a table that was removed after its row was read. */
const NO_RECORDS: TableStats = { rows: 0, dataBytes: 0, indexBytes: 0, minTime: undefined, maxTime: undefined };

/** What a table has when it is read alone. */
interface TableDetails {
  readonly grants: readonly GrantView[];
  /** Epoch milliseconds. */
  readonly silentSince: number | undefined;
  readonly engine: Location | 'both';
  /** That stores the table. */
  readonly node: string;
}

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
    { engine, zone }: { engine: LogStore; zone: string },
  ): Promise<TableRecords> {
    const stats = await engine.stats(tables.map(({ id }) => id));
    return new TableRecords({ stats, allBytes: await engine.totalBytes() }, zone);
  }

  rowCount({ id }: Pick<TableView, 'id'>): number {
    return (this.#stats.get(id) ?? NO_RECORDS).rows;
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

  whole(table: TableView, { grants, silentSince, engine, node }: TableDetails): TypeOf<typeof wholeTableRecord> {
    const { alarm_group_guid, alarm_group_name } = table;
    return {
      ...this.listed(table),
      ...(table.schema_code === null ? {} : { schema_code: table.schema_code }),
      expect_every: table.expect_every,
      ...(alarm_group_guid === null ? {} : { alarm_group_guid, alarm_group_name }),
      silent_since: silentSince === undefined ? null : this.#stampOf(silentSince),
      shared_users: this.#granted(grants, 'user'),
      shared_groups: this.#granted(grants, 'group'),
      node_stats: [{ node, ...this.#stored(table) }],
      engine,
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
    const known = this.#stamps.get(begins) ?? this.#stampOf(begins);
    this.#stamps.set(begins, known);
    return known;
  }

  #stampOf(at: number): string {
    return toStamp(Temporal.Instant.fromEpochMilliseconds(at), this.#zone);
  }

  #granted(grants: readonly GrantView[], kind: GrantView['holder_kind']) {
    return grants.filter(({ holder_kind }) => holder_kind === kind).map((grant) => grantRecord(grant, this.#zone));
  }
}
