// Clients of others against the service as a process: what a library was told is taken is there after kill -9, and once where
// its protocol carries an id. Answers get lost and the service is away for a while; the libraries repeat by themselves.

import { expect, it } from 'vitest';
import { rowsOf } from '#test/support/logs.ts';
import { clientsOf } from './clients.ts';
import { killableService } from './killable-service.ts';

const SENDERS = {
  VIGIL_SENDERS: 'otlp,elasticsearch,splunk,loki',
  VIGIL_SENDERS_TABLE: 'inbox',
};

it('Every acknowledged record of a client is there, whatever happens to the service and to its answers', async () => {
  const { url, forwarder, start, kill } = await killableService(SENDERS);
  const first = await start();
  await first.call('POST', '/api/core/tables', { form: { table: 'inbox' } });
  const clients = clientsOf(url);
  const retrying = clients.filter(({ isRetrying }) => isRetrying);
  const line = (client: string, phase: string) => `${client.replaceAll(' ', '-')}-${phase}`;

  await Promise.all(clients.map(({ name, send }) => send(line(name, 'first'))));
  for (const path of ['_bulk', '/v1/logs', '/services/collector']) forwarder.loseAnswer(path);
  await Promise.all(retrying.map(({ name, send }) => send(line(name, 'repeated'))));
  await expect
    .poll(async () => (await rowsOf(first, 'table inbox')).length)
    .toBeGreaterThanOrEqual(2 * clients.length - 1);
  await kill();
  const sending = Promise.all(retrying.map(({ name, send }) => send(line(name, 'delayed'))));
  await start();
  await sending;
  await kill();
  const rows = await rowsOf(await start(), 'table inbox');
  for (const { name, isOnce, isRetrying } of clients) {
    for (const phase of isRetrying ? ['first', 'repeated', 'delayed'] : ['first']) {
      const found = rows.filter((row) => JSON.stringify(row).includes(line(name, phase))).length;
      expect([name, phase, isOnce ? found : Math.min(found, 1)]).toEqual([name, phase, 1]);
    }
  }
});
