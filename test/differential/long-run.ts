// Goes round checks until its time is over, tells how far it is, and gives the number of disagreements.

import { systemClock } from '#kernel/time/clock.ts';
import { durationOf } from '#query/model/durations.ts';
import type { AnyCheck } from './check.ts';

export interface LongRun {
  readonly checks: readonly AnyCheck[];
  /** `30s`, `10m` or `2h`. */
  readonly length: string;
  /** Another one each time, where it is absent. */
  readonly seed?: string | undefined;
  /** Disagreements after which it ends. */
  readonly most: number;
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };
const ROUND_MS = 15_000;

export async function runLong({ checks, length, seed, most }: LongRun): Promise<number> {
  const began = now();
  const end = began + milliseconds(length);
  const first = seed === undefined ? began % 1_000_000_007 : Number(seed);
  const report = new Report(checks, { began, end });
  console.log(`differential: seed ${first}, for ${length}: ${checks.map(({ name }) => name).join(', ')}`);
  for (let round = 0; now() < end && report.failures.size < most; round += 1) {
    for (const { name, explore } of checks) {
      const left = Math.min(ROUND_MS, end - now());
      if (left <= 0) break;
      const judged = () => report.judged(name);
      const { failure } = await explore({ seed: first + round, runs: 1_000_000, milliseconds: left, judged });
      if (failure) report.failed(failure);
    }
  }
  report.end();
  return report.failures.size;
}

export function milliseconds(length: string): number {
  const duration = durationOf(length);
  const seconds = duration && SECONDS[duration.unit];
  if (!duration || !seconds) throw new Error(`${length} is no length: write 30s, 10m or 2h`);
  return duration.count * seconds * 1000;
}

const now = (): number => systemClock.now().epochMilliseconds;

class Report {
  readonly failures = new Map<string, string>();
  readonly #counts: Map<string, number>;
  readonly #times: { readonly began: number; readonly end: number };
  #told = 0;

  constructor(checks: readonly AnyCheck[], times: { readonly began: number; readonly end: number }) {
    this.#counts = new Map(checks.map(({ name }) => [name, 0]));
    this.#times = times;
  }

  /** A line that changes on a terminal; elsewhere one a minute. */
  judged(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    const at = now();
    if (at - this.#told < (process.stderr.isTTY ? 500 : 60_000)) return;
    this.#told = at;
    const { began, end } = this.#times;
    const line = `${Math.round((at - began) / 1000)} s of ${Math.round((end - began) / 1000)}: ${this.#summary()}`;
    process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
  }

  /** One of a kind is enough: seeds differ, what follows may not. */
  failed(failure: string): void {
    const kind = failure.split('\n').slice(1, 3).join('\n');
    if (this.failures.has(kind)) return;
    this.failures.set(kind, failure);
    this.#clear();
    console.log(`\n${failure}\n`);
  }

  end(): void {
    this.#clear();
    console.log(this.#summary());
  }

  #summary(): string {
    const counts = [...this.#counts].map(([name, count]) => `${name} ${count}`).join(', ');
    return `${counts}; ${this.failures.size} disagreements`;
  }

  #clear(): void {
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  }
}
