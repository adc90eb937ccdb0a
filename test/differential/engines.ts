// Generated pipelines over the same records on two engines: the same rows, pages and counts. The embedded engine has sealed some
// of the records, ClickHouse has them on one shard or two; some are uploaded, and they are not in the order of their times.

import fc from 'fast-check';
import { recordOf } from '#ingest/decode/record.ts';
import type { LogRecord, TableSpec } from '#logs/log-store.ts';
import { drawnPipeline } from '#test/support/drawn-pipelines.ts';
import type { EngineHome } from '#test/support/engine-conformance/suite.ts';
import { type EngineResult, EngineWorld, recordsOf } from '#test/support/engine-world.ts';
import { groupedPipeline, pipeline } from '#test/support/pipeline-texts.ts';
import { EXAMPLE_ZONE, rowOf, type World } from '#test/support/query-examples.ts';
import type { Row } from '#test/support/query-result.ts';
import { oneOf, smallWorld } from '#test/support/random-tables.ts';
import { timeOf } from '#test/support/stored-rows.ts';
import { areSameRows } from '#verification/same-rows.ts';
import { type AnyCheck, checkOf, SKIPPED } from './check.ts';
import { differ, isLoose, isUndefined, settled, type Tables, worldText } from './pipelines.ts';
import { jsonObject } from './shown.ts';

/** How the records of a table come in. */
interface Storing {
  readonly layout: TableSpec['layout'];
  /** Records of each batch; every third batch is an upload. */
  readonly size: number;
  /** Batches after which those of the embedded engine are sealed. */
  readonly sealedAfter: number;
  /** As lines of JSON, or as a query stores its rows. */
  readonly isPushed: boolean;
  /** Whether queries come a while later: ClickHouse is then read without a test of arrivals. */
  readonly isAtRest: boolean;
}

interface Case {
  readonly texts: readonly string[];
  readonly storing: Storing;
  readonly world: World & { readonly tables: Tables };
  readonly page: { readonly offset: bigint; readonly limit: bigint };
}

/** The same engines for all cases of a run. */
export interface EnginePair {
  readonly embedded: EngineHome;
  readonly clickhouse: EngineHome;
}

export function enginesCheck(pair: EnginePair): AnyCheck {
  // A case goes on after the time of its round is over, and has tables of the same names.
  let previous: Promise<unknown> = Promise.resolve();
  const judgeNext = (one: Case) => {
    const judged = previous.then(() => judge(one, pair));
    previous = judged.catch(() => undefined);
    return judged;
  };
  return checkOf<Case>({ name: 'engines', given, judge: judgeNext });
}

const few = fc.bigInt({ min: 0n, max: 3n });
const BOUNDS = ['from=20261115', 'to=20261115', 'from=20261114 to="2026-11-15 09:30:00"', 'duration=3d'];

/** Some scans between times. */
const bounded = fc
  .tuple(
    fc.oneof(pipeline, groupedPipeline, drawnPipeline),
    fc.oneof({ weight: 2, arbitrary: fc.constant('') }, oneOf(BOUNDS)),
  )
  .map(([text, bounds]) => (bounds === '' ? text : text.replace(/\btable (?=t|r|order|offset)/, `table ${bounds} `)));

const given = fc.record({
  // Making tables takes longer than reading them.
  texts: fc.array(bounded, { minLength: 1, maxLength: 12, size: 'max' }),
  storing: fc.record({
    layout: fc.oneof({ weight: 3, arbitrary: fc.constant('columnar' as const) }, fc.constant('row' as const)),
    size: fc.integer({ min: 1, max: 6 }),
    sealedAfter: fc.integer({ min: 0, max: 3 }),
    isPushed: fc.boolean(),
    isAtRest: fc.boolean(),
  }),
  world: smallWorld,
  page: fc.record({ offset: few, limit: few }),
});

async function judge({ texts, storing, world, page }: Case, pair: EnginePair): Promise<string | undefined> {
  const asked = texts.filter((text) => !isUndefined(text));
  if (asked.length === 0 || (storing.isPushed && isRefused(world.tables))) return SKIPPED;
  const { layout } = storing;
  const store = storeOf(storing);
  await using embedded = await EngineWorld.open(pair.embedded, world, { layout, store });
  await using clickhouse = await EngineWorld.open(pair.clickhouse, world, { layout, store });
  for (const text of asked) {
    const complaint = await compare(text, embedded, clickhouse, page);
    if (complaint !== undefined) {
      return `${text}\n${worldText(world.tables)}\n  ${JSON.stringify(storing)}\n${complaint}`;
    }
  }
  return undefined;
}

async function compare(text: string, embedded: EngineWorld, clickhouse: EngineWorld, page: Case['page']) {
  const wanted = await outcome(embedded.run(text));
  const found = await outcome(clickhouse.run(text));
  if ('failure' in wanted || 'failure' in found) {
    const failures = [wanted, found].map((one) => ('failure' in one ? one.failure : 'none'));
    return failures[0] === failures[1] ? undefined : `  embedded: ${failures[0]}\n  ClickHouse: ${failures[1]}`;
  }
  if (wanted.warnings.includes(90901)) return undefined;
  const isOrdered = wanted.isOrdered && !isLoose(text);
  if (!areSameRows(wanted.rows, found.rows, isOrdered))
    return differ('embedded', wanted.rows, 'ClickHouse', found.rows);
  if (settled(wanted) !== settled(found)) return `  counts: embedded ${wanted.pushes}, ClickHouse ${found.pushes}`;
  if (`${wanted.columns}` !== `${found.columns}`) return `  columns: ${wanted.columns}, ClickHouse ${found.columns}`;
  if (!isOrdered) return undefined;
  const { rows } = await clickhouse.run(text, page);
  const paged = wanted.rows.slice(Number(page.offset), Number(page.offset + page.limit));
  return areSameRows(rows, paged, true) ? undefined : differ('page of ClickHouse', rows, 'of', paged);
}

/** A query that one engine refuses, the other must refuse alike. */
const outcome = (running: Promise<EngineResult>): Promise<EngineResult | { readonly failure: string }> =>
  running.catch((error: unknown) => ({ failure: String(error) }));

const storeOf =
  ({ size, sealedAfter, isPushed, isAtRest }: Storing) =>
  async (home: EngineHome, table: TableSpec, rows: readonly Row[]): Promise<void> => {
    const records = isPushed ? rows.map(pushedRecord) : recordsOf(rows);
    for (let batch = 0; batch * size < records.length; batch += 1) {
      const some = records.slice(batch * size, (batch + 1) * size);
      if (batch % 3 === 2) await upload(home, table, some);
      else await home.engine.append(table, some);
      if (batch === sealedAfter) await home.tick({ minutes: 6 });
    }
    if (isAtRest) home.clock.advance({ seconds: 10 });
  };

function pushedRecord(row: Row, index: number): LogRecord {
  const record = readRecord(row, index);
  if (typeof record === 'string') throw new Error(`${record}: ${jsonObject(row)}`);
  return record;
}

const readRecord = (row: Row, index: number) =>
  recordOf(jsonObject(row), { at: timeOf(row, index).epochMilliseconds, zone: EXAMPLE_ZONE });

/** A push with such a text as U+0000 stores nothing on either engine. */
const isRefused = (tables: Tables): boolean =>
  Object.values(tables).some((rows) => rows.some((row, index) => typeof readRecord(rowOf(row), index) === 'string'));

async function upload({ engine }: EngineHome, table: TableSpec, records: readonly LogRecord[]): Promise<void> {
  const staging = await engine.stage(table);
  await staging.add(records);
  await staging.commit(async () => undefined);
}
