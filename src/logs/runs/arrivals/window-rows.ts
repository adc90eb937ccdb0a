// Records that have arrived in tables (`table window=D`) as rows of a plan.

import type { Rows } from '#query/model/columns.ts';
import type { Value } from '#query/model/values.ts';
import type { WindowScan } from '#query/plan-nodes/window.ts';
import type { Row } from '#query/rows/row.ts';
import type { RowTexts } from '#query/rows/row-texts.ts';
import { recordIn } from '#query/values/formats/strict-json.ts';

/** As they were pushed. */
interface ArrivedRecords {
  readonly table: string;
  readonly firstId: number;
  readonly records: readonly { readonly text: string; readonly time: number }[];
}

/** Of segments that were brought whole, as a statement has read them. */
interface StoredTexts {
  readonly stored: readonly string[];
  readonly rows: Rows;
  /** That took them in, where it is another one. */
  readonly node?: string;
}

/** Records of one arrival, on their way to the local evaluator. */
export type ArrivedBatch = ArrivedRecords | StoredTexts;

/** Numbers rows from where it stands. */
export class WindowRows {
  readonly #planNode: WindowScan;
  #count = 0n;

  constructor(node: WindowScan) {
    this.#planNode = node;
  }

  *records({ table, firstId, records }: ArrivedRecords): Generator<Row> {
    for (const [index, { text, time }] of records.entries()) {
      const own = new Map<string, Value>([
        ['_table', table],
        ['_time', Temporal.Instant.fromEpochMilliseconds(time)],
        ['_id', BigInt(firstId + index)],
      ]);
      yield this.#row(new Map([...recordIn(text), ...own]));
    }
  }

  *stored({ stored, node }: StoredTexts, reader: RowTexts): Generator<Row> {
    for (const text of stored) yield this.#row(withoutNulls(reader.fields(text)), node);
  }

  #row(record: ReadonlyMap<string, Value>, takenBy?: string): Row {
    const { node, rows, sequence } = this.#planNode;
    const row = rowOf(new Map([...record, ['_node', takenBy ?? node]]), rows);
    row[sequence] = this.#count;
    this.#count += 1n;
    return row;
  }
}

/** Fields that are no columns go into the overflow. */
function rowOf(record: ReadonlyMap<string, Value>, { columns, unlisted = [], overflow }: Rows): Row {
  const row: Row = [];
  const known = [...columns, ...unlisted];
  for (const { id, name } of known) row[id] = record.get(name) ?? null;
  const names = new Set(known.map(({ name }) => name));
  if (overflow) row[overflow.id] = new Map([...record].filter(([name]) => !names.has(name)));
  return row;
}

const withoutNulls = (fields: ReadonlyMap<string, Value>): ReadonlyMap<string, Value> =>
  new Map([...fields].filter(([, value]) => value !== null));
