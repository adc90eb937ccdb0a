// The long run: `npm run test:differential -- --for 10m --seed 7 --only pipelines`. It goes round the checks until its time
// is over, tells how far it is, and ends with 1 where engines disagreed.

import { parseArgs } from 'node:util';
import { systemClock } from '#kernel/clock.ts';
import { durationOf } from '#query/model/durations.ts';
import { checks } from './checks.ts';

const { values } = parseArgs({
  options: {
    for: { type: 'string', default: '10m' },
    seed: { type: 'string' },
    only: { type: 'string' },
    most: { type: 'string', default: '20' },
  },
});

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };
const ROUND_MS = 15_000;

const duration = durationOf(values.for);
const length = duration && SECONDS[duration.unit];
if (!duration || !length) throw new Error(`--for ${values.for}: write 30s, 10m or 2h`);
const selected = checks.filter(({ name }) => values.only === undefined || values.only.split(',').includes(name));
if (selected.length === 0)
  throw new Error(`--only ${values.only}: there are ${checks.map(({ name }) => name).join(', ')}`);

const began = systemClock.now().epochMilliseconds;
const end = began + duration.count * length * 1000;
const first = values.seed === undefined ? began % 1_000_000_007 : Number(values.seed);
const counts = new Map(selected.map(({ name }) => [name, 0]));
const failures = new Map<string, string>();
let told = 0;

console.log(`differential: seed ${first}, for ${values.for}: ${selected.map(({ name }) => name).join(', ')}`);
for (let round = 0; now() < end && failures.size < Number(values.most); round += 1) {
  for (const { name, explore } of selected) {
    const milliseconds = Math.min(ROUND_MS, end - now());
    if (milliseconds <= 0) break;
    const judged = () => {
      counts.set(name, (counts.get(name) ?? 0) + 1);
      progress();
    };
    const { failure } = await explore({ seed: first + round, runs: 1_000_000, milliseconds, judged });
    if (failure) report(failure);
  }
}
clear();
console.log(`${summary()}; ${failures.size} disagreements`);
process.exitCode = failures.size === 0 ? 0 : 1;

function now(): number {
  return systemClock.now().epochMilliseconds;
}

/** One of a kind is enough: seeds differ, what follows may not. */
function report(failure: string): void {
  const kind = failure.split('\n').slice(1, 3).join('\n');
  if (failures.has(kind)) return;
  failures.set(kind, failure);
  clear();
  console.log(`\n${failure}\n`);
}

function summary(): string {
  return [...counts].map(([name, count]) => `${name} ${count}`).join(', ');
}

function clear(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
}

/** A line that changes on a terminal; elsewhere one a minute. */
function progress(): void {
  const at = now();
  if (at - told < (process.stderr.isTTY ? 500 : 60_000)) return;
  told = at;
  const line = `${Math.round((at - began) / 1000)} s of ${Math.round((end - began) / 1000)}: ${summary()}; ${failures.size} disagreements`;
  process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
}
