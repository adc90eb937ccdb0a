// The service's HTTP side as src/app/app.ts wires it, with one operation more: authenticated, answering a constant. No
// published operation touches no data beyond authentication, and this one shows what the shape itself costs.

import { join } from 'node:path';
import { Accounts } from '#access/accounts/accounts.ts';
import { KeyRate } from '#access/limits/key-rate.ts';
import { RefusedAttempts } from '#access/limits/refused-attempts.ts';
import { openFoundation } from '#app/foundation/foundation.ts';
import { install } from '#app/foundation/install.ts';
import { openInstruments } from '#app/instruments.ts';
import { openServiceLog } from '#app/service-log.ts';
import { CountedEntries } from '#audit/counts/counted-entries.ts';
import { hoursOf } from '#audit/counts/hours.ts';
import { minutesOf } from '#audit/counts/minutes.ts';
import { RepeatedEntries } from '#audit/counts/repeated-entries.ts';
import { SharedCounts } from '#audit/counts/shared-counts.ts';
import { OWN_NUMBERS } from '#cluster/numbers.ts';
import { Bodies } from '#http/bodies/bodies.ts';
import { Connections } from '#http/connections/connections.ts';
import { createServer } from '#http/server.ts';
import { addressSet } from '#kernel/net/address.ts';
import { systemClock as clock } from '#kernel/time/clock.ts';
import { map } from '#operations/answers/shapes.ts';
import type { CallDeps } from '#operations/calls/call.ts';
import { type AnyEndpoint, endpoint } from '#operations/endpoint.ts';

const [port, answer = '{}', folder = ''] = process.argv.slice(2);
const masterKey = process.env.VIGIL_MASTER_KEY;
const object = JSON.parse(answer);

const constant = endpoint({
  title: 'Constant answer',
  method: 'GET',
  path: '/api/core/constant',
  access: 'MEMBER',
  params: {},
  answer: map,

  run: async (_input, _needs: object) => object,
});

const measured = openInstruments(openServiceLog('info'));
const callDeps = await openCallParts();
const trustedProxies = addressSet([]);
const server = createServer({
  endpoints: [constant as AnyEndpoint],
  ownServices: {},
  callDeps: () => callDeps,
  state: () => 'running',
  trustedProxies,
  clock,
  bodies: new Bodies(clock, {
    bodyBytes: 1024 * 1024,
    openBytes: 8 * 1024,
    dataBytes: 1024 * 1024,
    heldBytes: 256 * 1024 * 1024,
    values: 250_000,
    seconds: 60,
    rateBytes: 1024,
  }),
  allowedHosts: [],
  publicOrigins: [],
  hstsSeconds: 0,
  connections: new Connections({ max: 10_000, trustedProxies, clock, observer: measured }),
  tls: undefined,
  observer: measured,
});
await server.listen({ port: Number(port), host: '127.0.0.1' });

async function openCallParts(): Promise<CallDeps> {
  const folders = { data: join(folder, 'data'), keys: join(folder, 'keys') };
  const { store, trail, installation, cluster } = await openFoundation(folders, { clock, observer: measured });
  if (installation.isNew) await install(installation, { trail, clock, masterKey });
  const accounts = new Accounts(store, clock, cluster);
  const counts = await SharedCounts.open({ store, trail, cluster, clock });
  const counted = { store, trail, clock, cluster, counts };
  const refusals = new CountedEntries({ minutes: minutesOf({ ...counted, kind: 'refused-keys' }), clock });
  const attempts = new RefusedAttempts({ entries: refusals, limit: 60, clock, numbers: OWN_NUMBERS });
  const repeats = new RepeatedEntries({ ...counted, hours: hoursOf(counted) });
  const keyRate = new KeyRate(clock, { rate: 0, burst: 100, numbers: OWN_NUMBERS });
  // As many as the service hands to its operations.
  const services = { accounts, attempts, auditPublicKey: '', clock, store, trail, zone: 'UTC' };
  const most = { maxGuids: 10_000, maxValues: 250_000 };
  const disk = { whileRemoving: <T>(work: () => Promise<T>) => work() };
  return { clock, store, trail, accounts, attempts, refusals, repeats, keyRate, disk, ...most, services };
}
