// Saved texts that a new version reads in another way are listed in the service log of its first start, once.

import { expect, it } from 'vitest';
import { openFoundation } from '#app/foundation/foundation.ts';
import { systemClock } from '#kernel/time/clock.ts';
import { created } from '#test/support/accounts.ts';
import { CapturedLog } from '#test/support/captured-log.ts';
import { createRule, createSchema } from '#test/support/rules.ts';
import { createSchedule } from '#test/support/scheduled-queries.ts';
import { type Service, startService } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';

const PIVOT = 'json "[{m:\'a\',v:1}]" | pivot sum(v) as s, count cols m';
const OLD = `${PIVOT} | eval n = nvl(a_s, 0)`;
const PANEL = { title: 't', chart: 'bar', x: 0, y: 0, w: 6, h: 4 };

async function createObjects(service: Service): Promise<void> {
  const post = (path: string, json: object) => service.call('POST', `/api/core/${path}`, { json });
  const shared = { shared_users: [], shared_groups: [] };
  const { json } = await post('datasets', { name: 'd', query: PIVOT, ...shared });
  await created(service, '/api/core/procedures', { name: 'p', query: `${PIVOT} | eval n = s:a` });
  await created(service, '/api/core/procedures', { name: 'q', query: 'table $("t")? | eval n = date(a, "yy-M-d")' });
  await createSchedule(service, { name: 's', query: OLD });
  await createRule(service, 'batch', { name: 'b', query: 'search a_count > 1', dataset_guid: json.guid });
  await createSchema(service, 'least');
  const condition = { template_id: 1, query: 'search date(at, "hh:mm") > now()' };
  await createRule(service, 'stream', { name: 'r', commands: JSON.stringify([condition]) });
  const layout = {
    panels: [
      { ...PANEL, id: '1', query: 'table web' },
      { ...PANEL, id: '2', query: OLD, x: 6 },
    ],
  };
  expect((await post('dashboards', { name: 'h', layout, ...shared })).status).toBe(200);
  const configs = { query: 'eval t = date(line, "d.M.yy")' };
  const parser = { code: 'x', name: 'x', factory_name: 'query', configs };
  expect((await post('parsers', parser)).status).toBe(200);
  const times = { time_field: 'at', time_format: 'yyyy-MM-dd hh:mm:ss' };
  expect((await post('parsers', { code: 'k', name: 'k', factory_name: 'key-value', configs: times })).status).toBe(200);
}

/** The database as a version has left it that listed nothing. */
async function forgetListing({ config }: Service): Promise<void> {
  const observer = { groupCommitted: () => undefined, storeFailed: () => undefined };
  const { store, close } = await openFoundation(config, { clock: systemClock, observer });
  await store.write((db) => db.deleteFrom('installation').where('key', '=', 'changed-texts-listed').execute());
  await close();
}

it('The first start of a version lists saved texts that it reads in another way, once', async () => {
  const log = new CapturedLog();
  await using service = await startService({ log, alone: 'node' });
  const listed = () =>
    log.warnings
      .filter(({ message }) => message === 'a saved text is read in another way')
      .map(({ fields: { kind, name, code, line, column } }) => [kind, name, code, line, column])
      .toSorted((one, other) => (`${one}` < `${other}` ? -1 : 1));
  await createObjects(service);
  await service.stop();
  await forgetListing(service);
  await service.restart();
  const found = await until(listed, ({ length }) => length >= 7);
  expect(found).toEqual([
    ['batch-rule', 'b', 90920, 1, 65],
    ['dashboard', 'h', 90920, 1, 71],
    ['parser', 'k', 90921, undefined, undefined],
    ['parser', 'x', 90921, 1, 33],
    ['procedure', 'q', 90921, 1, 34],
    ['scheduled-query', 's', 90920, 1, 71],
    ['stream-rule', 'r', 90921, 1, 29],
  ]);
  await service.restart();
  await service.restart();
  expect(listed()).toEqual(found);
});
