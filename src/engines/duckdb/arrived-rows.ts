// Records that have arrived, as rows of the host: those that were pushed as they came, those that were imported as a whole
// read back from their segments.

import { turn } from '#kernel/turns.ts';
import { type PlanSurroundings, RowTexts, rowsStatement } from '#query/dialects/duckdb.ts';
import type { Row } from '#query/evaluate/row-steps.ts';
import { strictJson } from '#query/evaluate/strict-json.ts';
import { untaggedWithin } from '#query/evaluate/tags.ts';
import type { Column, Rows, TableScan, WindowScan } from '#query/plan.ts';
import type { Value } from '#query/values.ts';
import { discreet } from './discreet-duck.ts';
import { blamed } from './keeping.ts';
import { VALUE_TYPES } from './known-table.ts';
import { recordsSource } from './records.ts';
import type { DuckSession } from './session.ts';
import type { LogTable } from './table.ts';
import type { Arrival } from './tap.ts';

type DuckModule = typeof import('@duckdb/node-api');

export interface ArrivalParts {
  readonly duck: DuckModule;
  readonly around: PlanSurroundings;
  /** Of its own: what the run has begun knows nothing of what has arrived since. */
  session(): Promise<DuckSession>;
}

/** Rows of one turn: a few milliseconds of work, whatever is done with them. */
export const TURN_ROWS = 256;

/** Numbers rows from where it stands. */
export class ArrivedRows {
  readonly #node: WindowScan;
  readonly #parts: ArrivalParts;
  #place = 0n;

  constructor(node: WindowScan, parts: ArrivalParts) {
    this.#node = node;
    this.#parts = parts;
  }

  async *of(arrival: Arrival): AsyncGenerator<readonly Row[]> {
    if ('segments' in arrival) {
      using _held = arrival.held;
      yield* this.#imported(arrival);
      return;
    }
    const { table, records, firstId } = arrival;
    for (let from = 0; from < records.length; from += TURN_ROWS) {
      await turn();
      yield records.slice(from, from + TURN_ROWS).map(({ text, time }, index) => {
        const own = new Map<string, Value>([
          ['_table', table.spec.name],
          ['_time', Temporal.Instant.fromEpochMilliseconds(time)],
          ['_id', BigInt(firstId + from + index)],
        ]);
        const sent = strictJson(text);
        return this.#row(
          new Map([
            ...(sent instanceof Map ? [...sent].map(([name, value]) => [name, untaggedWithin(value)] as const) : []),
            ...own,
          ]),
        );
      });
    }
  }

  #row(record: ReadonlyMap<string, Value>): Row {
    const { node, rows, sequence } = this.#node;
    const whole = node === undefined ? record : new Map([...record, ['_node', node]]);
    const row = rowOf(whole, rows);
    row[sequence] = this.#place;
    this.#place += 1n;
    return row;
  }

  /** In the order of their numbers, with the columns that they have by now. */
  async *#imported({ table, segments }: Extract<Arrival, { segments: unknown }>): AsyncGenerator<readonly Row[]> {
    const columns = table.columns;
    const scan = wholeScan(table);
    const types = new Map([...columns].map(([name, type]) => [name, VALUE_TYPES[type]]));
    const around = { ...this.#parts.around, storedColumns: () => (table.spec.layout === 'row' ? new Map() : types) };
    using files = await table.keeping.borrow(segments);
    const source = recordsSource({ paths: files.paths, hotTables: [] }, { layout: table.spec.layout, columns });
    const reader = new RowTexts(scan);
    await using session = await this.#parts.session();
    try {
      for await (const texts of session.texts(rowsStatement(scan, around).filled(this.#parts.duck, () => source))) {
        for (let from = 0; from < texts.length; from += TURN_ROWS) {
          await turn();
          yield texts.slice(from, from + TURN_ROWS).map((text) => this.#row(withoutNulls(reader.fields(text))));
        }
      }
    } catch (error) {
      const cause = await blamed(error, table.keeping, segments);
      throw table.keeping.isSecret ? discreet(cause, table.spec.name) : cause;
    }
  }
}

/** Fields that are no columns go into the overflow. */
function rowOf(record: ReadonlyMap<string, Value>, { columns, overflow }: Rows): Row {
  const row: Row = [];
  for (const { id, name } of columns) row[id] = record.get(name) ?? null;
  const names = new Set(columns.map(({ name }) => name));
  if (overflow) row[overflow.id] = new Map([...record].filter(([name]) => !names.has(name)));
  return row;
}

const withoutNulls = (fields: ReadonlyMap<string, Value>): ReadonlyMap<string, Value> =>
  new Map([...fields].filter(([, value]) => value !== null));

/** All fields of a table, whatever their types. */
function wholeScan({ spec: { name, layout }, columns }: LogTable): TableScan {
  const declared =
    layout === 'row' ? [] : [...columns.keys()].map((column) => ({ name: column, type: 'any' as const }));
  const own = [
    { name: '_table', type: 'string' as const },
    { name: '_time', type: 'date' as const },
    { name: '_id', type: 'long' as const },
  ];
  const all: Column[] = [...own, ...declared].map((column, index) => ({ ...column, id: index + 1 }));
  const rows = {
    columns: all,
    overflow: { id: all.length + 1, without: [] },
    order: [{ column: 3, descending: false }],
  };
  const about = { command: 'table', text: '', begin: 0, end: 0, rows, preservesCount: false };
  const tables = [{ name, columns: declared, isOpen: true }];
  return { ...about, kind: 'table', tables, range: {}, direction: 'asc', offset: 0n };
}
