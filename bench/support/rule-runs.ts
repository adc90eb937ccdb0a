// Running batch rules over the shared log, beside their bare queries.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { metadataFile } from '#store/sqlite/sqlite.ts';
import { created } from '#test/support/accounts.ts';
import type { Effort, Row } from './bench.ts';
import { TABLE } from './log-fill.ts';
import { median } from './numbers.ts';
import { answered, statusOf } from './query-calls.ts';
import { launch, vigil } from './server-process.ts';
import { type Service, serviceOf } from './service-calls.ts';
import { NEEDS_GENERATED, storedLog } from './stored-log.ts';
import { timed } from './timed.ts';

export const RULES = '/api/core/batch-rules';
/** Due only by hand. */
export const RULE = { priority: 'HIGH', msg: 'found $status $src_ip', schedule: '0 0 1 1 *', enabled: 'true' };

export const RUN_NOTES: readonly string[] = [
  `Run: POST /api/core/batch-rules/GUID/run, until its events are on record, and GET /api/core/query of the same text in turn. Whether they are is looked up in the database file from the process of the bench, every millisecond: asking the service would keep it from its work. "counts" is \`${countsOf()}\`, nothing but a count; "refused logins" is \`${refusedOf(5_000_000)}\`, a rule as people write it. ${NEEDS_GENERATED}`,
  '"of it the query" is what the status record tells of its run: from its place to its last row, without the steps around it.',
];

const AIM = { of: 'ratio', is: 'at most', bound: 1.15 } as const;
const LOOK_MS = 1;

function countsOf(): string {
  return `table ${TABLE} | stats count by status`;
}

function refusedOf(records: number): string {
  return `table ${TABLE} | search status == 401 | stats count by src_ip | search count >= ${records / 10_000}`;
}

interface Taken {
  readonly bare: number[];
  readonly run: number[];
  /** Of the bare query and of the run, as their status records tell. */
  readonly queries: { readonly bare: number[]; readonly run: number[] };
}

export async function measureRuns(effort: Effort): Promise<Row[]> {
  const log = await storedLog(effort);
  await using server = await launch(vigil({ folder: log.folder }));
  await server.ready('/readyz');
  const service = serviceOf(server);
  using recorded = openRecorded(log.folder);
  const rows: Row[] = [];
  for (const [name, query] of [['counts', countsOf()] as const, ['refused logins', refusedOf(log.records)] as const]) {
    const rule = await created(service, RULES, { ...RULE, name, query });
    const { bare, run, queries } = await taken(service, { rule, name, query, recorded }, effort);
    const what = `run of ${name} over ${log.records} records`;
    rows.push({ what: `${what}: p50`, value: median(run), unit: 'ms', yardstick: median(bare), aim: AIM });
    const own = median(queries.run);
    const yardstick = median(queries.bare);
    rows.push({ what: `${what}, of it the query: p50`, value: own, unit: 'ms', yardstick });
  }
  return rows;
}

interface Measured {
  readonly rule: string;
  readonly name: string;
  readonly query: string;
  readonly recorded: Recorded;
}

async function taken(service: Service, measured: Measured, { isQuick, say }: Effort): Promise<Taken> {
  const { rule, name, query, recorded } = measured;
  const [warmUps, turns] = isQuick ? [1, 3] : [3, 20];
  const found: Taken = { bare: [], run: [], queries: { bare: [], run: [] } };
  for (let turn = 0; turn < warmUps + turns; turn += 1) {
    say(`${name}: run ${turn + 1} of ${warmUps + turns}`);
    const bare = await timed(() => answered(service, query));
    const wanted = recorded.events(rule) + bare.value.rows.length;
    const run = await timed(async () => {
      const { id } = (await service.call('POST', `${RULES}/${rule}/run`)).json;
      while (recorded.events(rule) < wanted) await pause(LOOK_MS);
      return id;
    });
    if (turn < warmUps) continue;
    found.bare.push(bare.milliseconds);
    found.run.push(run.milliseconds);
    found.queries.bare.push((await statusOf(service, bare.value.id)).elapsed);
    found.queries.run.push((await statusOf(service, run.value)).elapsed);
  }
  return found;
}

/** What a service has written down, read beside it. */
interface Recorded extends Disposable {
  events(rule: string): number;
}

function openRecorded(folder: string): Recorded {
  const database = new DatabaseSync(metadataFile(join(folder, 'data')), { readOnly: true });
  const counted = database.prepare('select count(*) as total from events where rule_guid = ?');
  return {
    events: (rule) => Number(counted.get(rule)?.total),
    [Symbol.dispose]: () => database.close(),
  };
}
