// Asks a service for its health at a steady beat, in a process of its own: what it finds is what another client would.

import { Agent, get } from 'node:http';

const BEAT_MS = 20;

const [port = ''] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
const latencies: number[] = [];

// What a first request loads is this process's time.
await new Promise((resolve) => get({ port, path: '/healthz', agent }, (answer) => answer.resume().on('end', resolve)));

setInterval(() => {
  const asked = performance.now();
  const told = (ok: boolean) => latencies.push(ok ? performance.now() - asked : Number.POSITIVE_INFINITY);
  get({ port, path: '/healthz', agent }, (answer) => {
    answer.resume().on('end', () => told(answer.statusCode === 200));
  }).on('error', () => told(false));
}, BEAT_MS);

process.on('message', () => {
  latencies.sort((one, other) => one - other);
  const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  process.send?.({ count: latencies.length, p50: at(0.5), p99: at(0.99), longest: at(1) });
});
