// What detection costs: restoring a rule that has a long past, running a rule in place of its query, and making events of
// what was found.

import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { byKey, type Match } from '#detection/matches.ts';
import { type RaisingRule, raise } from '#detection/raise.ts';
import { systemClock } from '#kernel/clock.ts';
import { created } from '#test/support/accounts.ts';
import { openAuditParts } from './support/audit-parts.ts';
import type { Bench, Effort, Row } from './support/bench.ts';
import { TABLE } from './support/log-fill.ts';
import { median } from './support/numbers.ts';
import { answered } from './support/query-calls.ts';
import { launch, MASTER_KEY, vigil } from './support/server-process.ts';
import { type Service, serviceOf } from './support/service-calls.ts';
import { NEEDS_GENERATED, storedLog } from './support/stored-log.ts';
import { timed } from './support/timed.ts';
import { type WorkFolder, workFolder } from './support/work-folder.ts';

const RULES = '/api/core/batch-rules';
const RULE = { priority: 'HIGH', msg: 'found $status', schedule: '0 0 1 1 *', enabled: 'true' };
const QUERY = `table ${TABLE} | stats count by status`;
const POLL_MS = 5;

export const detection: Bench = {
  name: 'detection',
  question: 'What does it cost to restore a rule with a long past, to run a rule, and to raise what it has found?',
  yardstick:
    'a rule with two versions and no references; the bare query of the rule; bare inserts of as many rows by node:sqlite',
  aim: 'restore at most 1.5 times; run at most 1.15 times',

  async run(effort) {
    using folder = workFolder();
    const rows = [
      ...(await measureRestore(folder, effort)),
      ...(await measureRuns(effort)),
      ...(await measureRaising(folder, effort)),
    ];
    return { rows, notes: NOTES };
  },
};

const NOTES = [
  'Restore: POST …/versions/1/restore of both rules in turn, each of which writes another version.',
  `Run: POST /api/core/batch-rules/GUID/run of \`${QUERY}\`, until its events are there; the yardstick is GET /api/core/query of the same text. ${NEEDS_GENERATED}`,
  'Raising: one unit of the store on the embedded database, flush included, in the process of the bench. Half of the matches make events, the others join them; when they are raised again, all join. The yardstick is one transaction (WAL, synchronous=FULL) with as many rows of 20 columns as there are matches.',
];

async function measureRestore(folder: WorkFolder, { isQuick, say }: Effort): Promise<Row[]> {
  const sizes = isQuick ? { versions: 20, references: 5, turns: 5 } : { versions: 1000, references: 50, turns: 50 };
  await using server = await launch(vigil({ folder: folder.at('restore') }));
  await server.ready('/readyz');
  const service = serviceOf(server);
  const guids: string[] = [];
  for (let number = 0; number < sizes.references; number += 1) {
    guids.push(await created(service, '/api/core/users', { login: `u${number}`, name: 'u', role: 'MEMBER' }));
  }
  const query = 'json "{\\"status\\":1}"';
  const short = await withVersions(service, { ...RULE, name: 'short', query }, 2);
  say(`${sizes.versions} versions`);
  const long = await withVersions(
    service,
    { ...RULE, name: 'long', query, reviewer_guids: guids.join() },
    sizes.versions,
  );
  const [ofLong, ofShort]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < sizes.turns; turn += 1) {
    for (const [rule, taken] of [[long, ofLong] as const, [short, ofShort] as const]) {
      const { value, milliseconds } = await timed(() => service.call('POST', `${RULES}/${rule}/versions/1/restore`));
      if (value.json.result !== true) throw new Error(`not restored: ${value.text}`);
      taken.push(milliseconds);
    }
  }
  const what = `restore with ${sizes.versions} versions and ${sizes.references} references: p50`;
  const aim = { of: 'ratio', is: 'at most', bound: 1.5 } as const;
  return [{ what, value: median(ofLong), unit: 'ms', yardstick: median(ofShort), aim }];
}

async function withVersions(service: Service, fields: Readonly<Record<string, string>>, count: number) {
  const guid = await created(service, RULES, fields);
  for (let version = 2; version <= count; version += 1) {
    await service.call('PUT', `${RULES}/${guid}`, { form: { ...fields, description: `version ${version}` } });
  }
  return guid;
}

async function measureRuns(effort: Effort): Promise<Row[]> {
  const log = await storedLog(effort);
  await using server = await launch(vigil({ folder: log.folder }));
  await server.ready('/readyz');
  const service = serviceOf(server);
  const rule = await created(service, RULES, { ...RULE, name: 'bench', query: QUERY });
  const [warmUps, turns] = effort.isQuick ? [1, 3] : [3, 20];
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < warmUps + turns; turn += 1) {
    effort.say(`run ${turn + 1} of ${warmUps + turns}`);
    const query = await timed(() => answered(service, QUERY));
    const run = await timed(() => ranOnce(service, rule, query.value.rows.length));
    if (turn < warmUps) continue;
    bare.push(query.milliseconds);
    ours.push(run.milliseconds);
  }
  const aim = { of: 'ratio', is: 'at most', bound: 1.15 } as const;
  const what = `run over ${log.records} records: p50`;
  return [{ what, value: median(ours), unit: 'ms', yardstick: median(bare), aim }];
}

/** Runs the rule and waits for its events. */
async function ranOnce(service: Service, rule: string, events: number): Promise<void> {
  const total = async () => (await service.call('GET', `/api/core/events?limit=0&rule_guids=${rule}`)).json.total_count;
  const before = await total();
  await service.call('POST', `${RULES}/${rule}/run`);
  while ((await total()) < before + events) await pause(POLL_MS);
}

async function measureRaising(folder: WorkFolder, { isQuick }: Effort): Promise<Row[]> {
  const count = isQuick ? 500 : 10_000;
  const place = { folder: folder.at('raising'), masterKey: MASTER_KEY };
  await using parts = await openAuditParts(place, systemClock);
  const content = {
    priority: 'HIGH',
    msg: 'login of $user failed',
    suppress_key: '$user',
    event_suppress_interval: 3600,
  };
  const rule: RaisingRule = { kind: 'batch', guid: 'r', name: 'r', version: 1, content };
  const matches = Array.from({ length: count }, (_, number): Match => {
    return { fields: { user: `user ${number % (count / 2)}`, status: 401, path: '/login' }, time: number };
  });
  const raiseFor = (by: RaisingRule, some: readonly Match[]) =>
    parts.store.write((db) => raise(db, { rule: by, matches: byKey(some, content), queryId: 1, now: Date.now() }));
  // What a first time has to load is loaded.
  await raiseFor({ ...rule, guid: 'another' }, matches.slice(0, 10));
  const raised = () => raiseFor(rule, matches);
  const fresh = await timed(raised);
  const joined = await timed(raised);
  if (fresh.value.events !== count / 2 || joined.value.events !== 0)
    throw new Error('not the events that there should be');
  const yardstick = insertBare(folder, count);
  return [
    { what: `${count} matches to ${count / 2} events`, value: fresh.milliseconds, unit: 'ms', yardstick },
    { what: `${count} matches that join them`, value: joined.milliseconds, unit: 'ms', yardstick },
  ];
}

/** Milliseconds for one transaction. */
function insertBare(folder: WorkFolder, count: number): number {
  const database = new DatabaseSync(folder.at('bare.db'));
  database.exec('pragma journal_mode = wal; pragma synchronous = full');
  const columns = Array.from({ length: 20 }, (_, number) => `c${number}`);
  database.exec(`create table rows (${columns.join(', ')})`);
  const insert = database.prepare(`insert into rows values (${columns.map(() => '?').join(', ')})`);
  const begun = performance.now();
  database.exec('begin immediate');
  for (let number = 0; number < count; number += 1) insert.run(...columns.map(() => 'a value of some length'));
  database.exec('commit');
  const taken = performance.now() - begun;
  database.close();
  return taken;
}
