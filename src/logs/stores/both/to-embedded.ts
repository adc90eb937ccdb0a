// Days of a table from ClickHouse to the embedded engine: the records of a day are fetched in the order of their times and written as
// segments, which the unit that hides the day on ClickHouse names in their catalog.

import { randomUUID } from 'node:crypto';
import type { NamelessFile } from '#files/nameless.ts';
import type { DayOfTable, MovingTables } from '#logs/stores/clickhouse/moving-tables.ts';
import { allOf, parquetOf, recordsSelect } from '#logs/stores/clickhouse/reads/stored-rows.ts';
import type { Segment } from '#logs/stores/embedded/storage/catalog.ts';
import type { LogTable } from '#logs/stores/embedded/storage/table.ts';
import { storedFirst } from '#logs/stores/shared/columns.ts';
import type { Db } from '#store/kysely.ts';
import { CommitUnanswered } from '#store/unreachable.ts';
import { type MoveDirection, requireSame } from './move-direction.ts';
import { sumsOf } from './to-clickhouse.ts';

interface ToEmbeddedDeps {
  readonly table: LogTable;
  readonly moving: MovingTables;
  /** For rows that were fetched. */
  readonly spillFolder: string;
  /** Whether the table is embedded alone. */
  isStill(db: Db): Promise<boolean>;
  /** Resolves after a while. */
  pause(signal: AbortSignal): Promise<void>;
}

export const toEmbedded = (deps: ToEmbeddedDeps): MoveDirection => ({
  // Records of an upload that is committed later may have arrived before those that are copied: a day is hidden up to an arrival.
  awaitsUploads: true,
  async adopt(alongside, room) {
    const { table, moving } = deps;
    const outside = await moving.table(table.spec);
    const lastId = (await moving.nextId(table.spec)) - 1 + room;
    await table.moving.adopt({ lastId, offsets: await outside.offsets() }, alongside);
  },
  async days() {
    await (await deps.moving.table(deps.table.spec)).idle();
    return await deps.moving.days(deps.table.spec);
  },
  async copy(day, { signal, switched }) {
    const { table, moving } = deps;
    const found = await moving.day(table.spec, day);
    if (found.rows === 0) return;
    const segments: Segment[] = [];
    try {
      await writeSegments(deps, { found, segments, signal });
      requireSame(table.spec.name, day, await sumsOf(table, segments), found);
      const isSwitched = await switched(found.rows, (alongside) =>
        moving.leave(found, (hide) =>
          table.moving.arrive(segments, async (unit) => {
            await hide(unit);
            await alongside(unit);
          }),
        ),
      );
      if (!isSwitched) await table.moving.discard(segments);
    } catch (error) {
      // A commit in doubt may have named them: the next start decides.
      if (!(error instanceof CommitUnanswered)) await table.moving.discard(segments);
      throw error;
    }
    await moving.removeLeft(table.spec);
  },
  async end(signal) {
    const { table, moving, isStill, pause } = deps;
    moving.closeReads(table.spec);
    while (moving.isRead(table.spec)) await pause(signal);
    await moving.end(table.spec, isStill);
  },
});

interface Written {
  readonly found: DayOfTable;
  readonly segments: Segment[];
  readonly signal: AbortSignal;
}

async function writeSegments({ table, moving, spillFolder }: ToEmbeddedDeps, { found, segments, signal }: Written) {
  const { columns } = found;
  for await (const files of moving.files(found, { folder: spillFolder, signal })) {
    for (const file of files) {
      const rows = await rowsIn(table, file);
      if (rows === 0) continue;
      const records = recordsSelect([file], columns, allOf(columns));
      const source = table.spec.layout === 'row' ? `select _id, _time, _rest as _doc from (${records})` : records;
      segments.push(
        await table.moving.write({
          day: found.day,
          name: `moved-${randomUUID()}`,
          source,
          rows,
          columns: storedFirst(columns),
        }),
      );
    }
  }
}

async function rowsIn({ storage }: LogTable, file: NamelessFile): Promise<number> {
  const [row] = await storage.instance.run(`select count(*)::double as total from ${parquetOf([file])}`);
  return Number(row?.total);
}
