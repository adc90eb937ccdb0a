// Everything that the service writes is searched for texts that were pushed into an encrypted table, at every stage of
// their way and after a kill in each of them; a rule raises an event, a ticket and an alarm of each on the way. The same search finds them at once in a table that is not encrypted.

import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { createLogger, push, rowsOf } from '#test/support/logs.ts';
import { type Home, makeHome, type VigilProcess } from '#test/support/process.ts';
import { createSchema } from '#test/support/rules.ts';
import { found } from '#test/support/secrecy.ts';
import { MASTER_KEY, type Service, send } from '#test/support/service.ts';
import { createStreamRule } from '#test/support/stream-rules.ts';
import { until } from '#test/support/until.ts';

const VALUE = 'xyzzy-value-of-a-card';
const FIELD = 'plugh_name_of_a_field';
const PATH = 'xyzzy-path-of-a-hook';
/** What Parquet begins and ends with: compressed, it would hide the texts from the search. */
const PARQUET = 'PAR1';

/** The webhook is on this machine, where nobody listens. */
const TARGETS = { VIGIL_WEBHOOK_TARGETS: 'any' };
const CALM = { VIGIL_SEAL_AFTER: '86400', VIGIL_MAINTENANCE_PERIOD: '3600' };
const HASTE = { VIGIL_SEAL_AFTER: '1', VIGIL_MAINTENANCE_PERIOD: '1' };

type Caller = Pick<Service, 'call'>;

function segmentsOf({ folder }: Home): number {
  const database = new DatabaseSync(join(folder, 'data/metadata.db'), { readOnly: true });
  const row = database.prepare('select count(*) as total from log_segments').get();
  database.close();
  return Number(row?.total);
}

/** A rule that makes an event, a ticket and an alarm of every card. */
async function watchCards(service: Caller): Promise<void> {
  const members = JSON.stringify([{ type: 'WEBHOOK', url: `http://127.0.0.1:9/${PATH}`, secret: 's' }]);
  const fields = {
    msg: 'card $card',
    suppress_key: '$card',
    ticket_issue_cond: 'ALWAYS',
    ticket_repo_guid: await created(service, '/api/core/ticket-repos', { name: 'cards' }),
    alarm_group_guid: await created(service, '/api/core/alarm-groups', { name: 'cards', members }),
  };
  await createStreamRule(service, { schema: 'cards', where: ['search n >= 0'], fields });
}

it('Nothing that was pushed into an encrypted table can be read from what the service writes, at any stage', async () => {
  using home = makeHome();
  const processes: VigilProcess[] = [];
  let service: Caller = { call: () => Promise.reject(new Error('not started')) };
  const start = async (haste: object) => {
    const started = home.serve({ VIGIL_MASTER_KEY: MASTER_KEY, ...TARGETS, ...haste });
    processes.push(started);
    const url = await started.ready();
    service = { call: (method, path, options) => send(`${url}${path}`, method, options) };
  };
  const kill = async () => {
    const running = processes.at(-1);
    running?.child.kill('SIGKILL');
    if (running) await once(running.child, 'close');
  };
  const expectNothing = (stage: string) =>
    expect(found(home, processes, [VALUE, FIELD, PATH, PARQUET]), stage).toEqual([]);
  /** Searches again and again until `isSo`: whatever stands there for a moment only is likely to be met. */
  const searchUntil = async (isSo: () => boolean, stage: string) => {
    await until(() => {
      expectNothing(stage);
      return isSo();
    }, Boolean);
    expectNothing(stage);
  };

  await start(CALM);
  const profile = await created(service, '/api/core/crypto-profiles', { name: 'cards' });
  await createSchema(service, 'cards');
  const storage = { crypto_profile_guid: profile, encryption: 'true', schema_code: 'cards' };
  const logger = await createLogger(service, { table: 'cards', storage });
  await watchCards(service);
  const sent: number[] = [];
  const pushSome = async () => {
    const numbers = [sent.length, sent.length + 1];
    const lines = numbers.map((n) =>
      JSON.stringify({ n, card: VALUE, [FIELD]: VALUE, [`${FIELD}${n}`]: { [FIELD]: VALUE } }),
    );
    const body = [...lines, `not json ${VALUE}`].join('\n');
    expect((await push(service, logger, { body })).json).toMatchObject({ accepted: 2, rejected_count: 1 });
    sent.push(...numbers);
  };
  const expectAll = async () => {
    const rows = await rowsOf(service, 'table order=asc cards');
    expect(rows.map(({ n }) => n).sort((a, b) => a - b)).toEqual(sent);
    expect(rows[0]).toMatchObject({ [FIELD]: VALUE });
    const { json } = await service.call('GET', '/api/core/events');
    expect(json.total_count).toBe(sent.length);
    expect(json.events[0]).toMatchObject({ suppress_key: VALUE, fields: { [FIELD]: VALUE } });
  };

  await pushSome();
  expectNothing('in the journal');
  await expectAll();
  expectNothing('read while fresh');
  await kill();
  expectNothing('in the journal, after a kill');
  await start(CALM);
  await expectAll();
  expectNothing('read back from the journal');
  await kill();

  await start(HASTE);
  await searchUntil(() => segmentsOf(home) === 1, 'while it is sealed');
  await expectAll();
  expectNothing('read from a segment');
  for (let round = 0; round < 4; round += 1) {
    await pushSome();
    await sleep(200 * round);
    await kill();
    expectNothing(`after a kill around sealing or merging, round ${round}`);
    await start(HASTE);
    await expectAll();
    expectNothing(`started again, round ${round}`);
  }
  for (let round = 0; round < 4; round += 1) {
    const before = segmentsOf(home);
    await pushSome();
    await searchUntil(() => segmentsOf(home) !== before, `while it is sealed or merged, round ${round}`);
  }
  await searchUntil(() => segmentsOf(home) < 4, 'merged');
  await expectAll();
  await kill();
  expectNothing('merged, after a kill');
  await start(HASTE);
  await expectAll();
  const tables = await service.call('GET', '/api/core/tables');
  expect(tables.text).not.toContain(FIELD);
  expectNothing('in the end');

  const open = await createLogger(service, { table: 'open' });
  await push(service, open, { body: JSON.stringify({ [FIELD]: VALUE }) });
  expect(found(home, processes, [VALUE, FIELD]).length).toBeGreaterThanOrEqual(2);
});
