// Days of a table from the embedded engine to ClickHouse: the segments of a day are read in slices and inserted as an upload, which
// the unit that removes the segments from their catalog shows.

import { quotedName, quotedText } from '#logs/runs/duckdb/quote.ts';
import type { MovingTables } from '#logs/stores/clickhouse/moving-tables.ts';
import { type CopiedRow, encodeCopied } from '#logs/stores/clickhouse/storage/copied-rows.ts';
import { fieldColumns } from '#logs/stores/clickhouse/storage/layout.ts';
import type { Segment } from '#logs/stores/embedded/storage/catalog.ts';
import { recordsSource } from '#logs/stores/embedded/storage/records.ts';
import { blamed } from '#logs/stores/embedded/storage/segment-storage.ts';
import type { LogTable } from '#logs/stores/embedded/storage/table.ts';
import { firstColumns, type StoredColumns } from '#logs/stores/shared/columns.ts';
import { CommitUnanswered } from '#store/unreachable.ts';
import { type MoveDirection, requireSame } from './move-direction.ts';

interface ToClickhouseDeps {
  readonly table: LogTable;
  readonly moving: MovingTables;
}

/** Values of one statement, so that its rows are made in a few milliseconds; and rows and characters of one insert. */
const SLICE_VALUES = 40_000;
const MAX_SLICE_ROWS = 4096;
const MAX_ROWS = 65_536;
const MAX_CHARACTERS = 8 * 2 ** 20;

export const toClickhouse = ({ table, moving }: ToClickhouseDeps): MoveDirection => ({
  // Uploads that began before are segments when they are committed, which the last days are.
  awaitsUploads: false,
  async adopt(alongside, room) {
    const from = { nextId: table.moving.lastId + 1 + room, offsets: table.offsets };
    await moving.adopt(table.spec, from, alongside);
  },
  async days() {
    await table.flush();
    // Refuses where a journal is corrupt: its records would be left behind.
    table.snapshot()[Symbol.dispose]();
    return table.moving.days;
  },
  async copy(day, { signal, switched }) {
    using held = table.moving.hold(day);
    const { segments } = held;
    const upload = await moving.begin(table.spec);
    const abandon = () => moving.abandon(table.spec, upload);
    try {
      await insertSegments({ table, moving }, { day, upload, segments, signal });
      const rows = segments.reduce((total, segment) => total + segment.rows, 0);
      requireSame(table.spec.name, day, await moving.uploaded(table.spec, upload), await sumsOf(table, segments));
      const isSwitched = await switched(rows, (alongside) =>
        table.moving.leave(segments, async (unit) => {
          await moving.show(unit, table.spec, upload);
          await alongside(unit);
        }),
      );
      moving.changed();
      if (!isSwitched) await abandon();
    } catch (error) {
      // A commit in doubt may have shown them; that and what the end of the process cuts off is decided by the next start.
      if (!signal.aborted && !(error instanceof CommitUnanswered)) await abandon();
      throw error;
    }
  },
  async end() {},
});

interface Copied {
  readonly day: string;
  readonly upload: number;
  readonly segments: readonly Segment[];
  readonly signal: AbortSignal;
}

async function insertSegments({ table, moving }: ToClickhouseDeps, copied: Copied): Promise<void> {
  const { segments, signal } = copied;
  const gathered = new GatheredRows();
  const insert = async () => {
    const rows = gathered.take();
    if (rows.length > 0) await moving.insert(table.spec, copied, (facts) => encodeCopied(rows, facts));
  };
  try {
    using borrowed = await table.storage.borrow(segments);
    for (const [index, { rows }] of segments.entries()) {
      for await (const some of rowsIn(table, borrowed.paths[index] ?? '', rows)) {
        signal.throwIfAborted();
        gathered.add(some);
        if (gathered.isFull) await insert();
      }
    }
    await insert();
  } catch (error) {
    throw await blamed(error, table.storage, segments);
  }
}

/** Rows that wait for their insert. */
class GatheredRows {
  #rows: CopiedRow[] = [];
  #characters = 0;

  get isFull(): boolean {
    return this.#rows.length >= MAX_ROWS || this.#characters >= MAX_CHARACTERS;
  }

  add(rows: readonly CopiedRow[]): void {
    for (const row of rows) {
      this.#rows.push(row);
      this.#characters += row.rest?.length ?? 0;
      for (const value of Object.values(row.fields)) this.#characters += typeof value === 'string' ? value.length : 8;
    }
  }

  take(): readonly CopiedRow[] {
    const rows = this.#rows;
    this.#rows = [];
    this.#characters = 0;
    return rows;
  }
}

async function* rowsIn(table: LogTable, path: string, total: number): AsyncGenerator<readonly CopiedRow[]> {
  const { spec, storage } = table;
  const columns: StoredColumns = spec.layout === 'row' ? new Map() : table.columns;
  const fields = fieldColumns(firstColumns(columns));
  const step = Math.max(64, Math.min(MAX_SLICE_ROWS, Math.floor(SLICE_VALUES / (fields.length + 3))));
  const list = fields.map(({ field, name }) => `${quotedName(field)} as ${name}`);
  for (let from = 0; from < total; from += step) {
    const part = { path, from, to: Math.min(from + step, total) };
    const source = recordsSource(
      { paths: [], parts: [part], hotTables: [] },
      { layout: spec.layout, columns, leaves: table.leaves },
    );
    const own = ['_id', 'epoch_ms(_time) as _ms', `${restWithFurther(columns)} as _others`];
    const rows = await storage.instance.run(`select ${[...own, ...list].join(', ')} from (${source})`);
    // Types are those of the columns that were asked for.
    yield rows.map(({ _id, _ms, _others, ...values }) => ({
      id: _id as bigint,
      time: _ms as bigint,
      rest: _others as string | null,
      fields: values as CopiedRow['fields'],
    }));
  }
}

/** The text of `_rest` with the values of further columns. */
function restWithFurther(columns: StoredColumns): string {
  const further = [...columns].flatMap(([name, { path = [], type }]) => {
    const [field] = path;
    return field === undefined ? [] : [{ field, column: quotedName(name), type }];
  });
  if (further.length === 0) return '_rest::varchar';
  const members = further.map(({ field, column, type }) => {
    const number = `case when ${column} = trunc(${column}) then ${column}::bigint::varchar else to_json(${column})::varchar end`;
    return `${quotedText(`${JSON.stringify(field)}:`)} || ${type === 'DOUBLE' ? number : `to_json(${column})::varchar`}`;
  });
  const rest = "trim(_rest::varchar, chr(9) || chr(10) || chr(13) || ' ')";
  const others = `nullif(substr(${rest}, 2, length(${rest}) - 2), '')`;
  const isSome = further.map(({ column }) => `${column} is not null`).join(' or ');
  const object = `'{' || concat_ws(',', ${[others, ...members].join(', ')}) || '}'`;
  return `case when ${isSome} then ${object} else _rest::varchar end`;
}

/** Of records that are in segments. */
export async function sumsOf({ storage, spec, columns, leaves }: LogTable, segments: readonly Segment[]) {
  using borrowed = await storage.borrow(segments);
  const read = { columns: new Set(['_id']), hasRest: false };
  const source = recordsSource(
    { paths: borrowed.paths, hotTables: [] },
    { layout: spec.layout, columns, leaves },
    read,
  );
  const sums = 'count(*)::double as total, bit_xor(_id)::varchar as ids, bit_xor(epoch_ms(_time))::varchar as times';
  const [row] = await storage.instance.run(`select ${sums} from (${source})`);
  return { rows: Number(row?.total), ids: BigInt(String(row?.ids ?? 0)), times: BigInt(String(row?.times ?? 0)) };
}
