// Queries that take hours, more of them than there are processors, and one that takes a moment: it is answered, of their account
// and of another, and they go on.

import { expect, it } from 'vitest';
import { createAccount } from '#test/support/accounts.ts';
import { createLogger, push } from '#test/support/logs.ts';
import { makeHome } from '#test/support/process.ts';
import { type Caller, openCursor, statusOf } from '#test/support/queries.ts';
import { send } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';

const ENDLESS = [
  'json "{a:1}" | repeat count=1000000000 | eval b = seq() | search b < 0',
  'json "{a:1}" | repeat count=1000000000 | eval b = seq() | stats max(b) by a',
  'json "{a:1}" | repeat count=1000000000 | evalc z = $("z", 0) + 1 | search z < 0',
];
/** What /metrics says while long queries share the processors. */
const BUSY = [
  /^vigil_queries_begun_again_total\{how="long"\} [1-9]/m,
  /^vigil_query_pieces_at_work [1-9]/m,
  /^vigil_query_pieces_waiting [1-9]/m,
];

it('A query of a moment is answered beside many of hours, and they go on', async () => {
  using home = makeHome();
  const url = await home.serve().ready();
  const service: Caller = { call: (method, path, how) => send(`${url}${path}`, method, how) };
  const logger = await createLogger(service, { table: 'web' });
  await push(service, logger, { body: '{"n":7}' });
  const { key } = await createAccount(service, 'ADMIN', { login: 'other' });
  const texts = Array.from({ length: 12 }, (_, at) => ENDLESS[at % ENDLESS.length] ?? '');
  const ids = await Promise.all(texts.map((q) => openCursor(service, q)));
  for (const how of [{}, { key }, {}]) {
    const q = encodeURIComponent('table web | fields n');
    expect((await service.call('GET', `/api/core/query?q=${q}`, how)).text).toBe('{"n":7}\n');
  }
  // Between two pieces none is at work, for a moment.
  const metrics = await until(
    async () => (await service.call('GET', '/metrics')).text,
    (text) => BUSY.every((metric) => metric.test(text)),
  );
  for (const metric of BUSY) expect(metrics).toMatch(metric);
  for (const id of ids) expect(await statusOf(service, id)).toMatchObject({ is_finished: false });
  for (const id of ids) {
    expect((await service.call('POST', `/api/core/queries/${id}/cancel`)).status).toBe(200);
  }
});
