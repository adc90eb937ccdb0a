// Deadlines of bodies: a limit on the total time, and a minimum rate over half a minute. One timer checks all arriving
// bodies, so a body needs no timer of its own.

import type { Clock } from '#kernel/time/clock.ts';
import { Periodic } from '#runtime/periodic.ts';

const TICK = Temporal.Duration.from({ seconds: 1 });
const RATE_WINDOW_MS = 30_000;
const BYTES_PER_SECOND_MORE = 64 * 1024;
/** For the whole body of an operation that needs no key. */
const OPEN_SECONDS = 10;

export interface BodyTimes {
  /** The setting `body-time`. */
  readonly seconds: number;
  /** The setting `body-rate`, bytes per second; 0 for none. */
  readonly rateBytes: number;
}

interface ArrivingBody {
  /** True for a body without a key. */
  readonly isOpen: boolean;
  readonly announcedBytes: number;
  /** Bytes received so far. */
  arrivedBytes(): number;
  /** Called once, when a deadline has passed. */
  onLate(): void;
}

interface Watched {
  readonly body: ArrivingBody;
  readonly begunMs: number;
  /** Received bytes over time, oldest first, as far back as the window needs. */
  readonly samples: { readonly atMs: number; readonly bytes: number }[];
}

export class BodyDeadlines implements Disposable {
  readonly #clock: Clock;
  readonly #times: BodyTimes;
  readonly #arriving = new Set<Watched>();
  readonly #ticking: Disposable;

  constructor(clock: Clock, times: BodyTimes) {
    this.#clock = clock;
    this.#times = times;
    this.#ticking = new Periodic({ clock, period: TICK, work: () => this.#look() });
  }

  /** Watches the body until disposed. */
  watch(body: ArrivingBody): Disposable {
    const begunMs = this.#clock.now().epochMilliseconds;
    const watched: Watched = { body, begunMs, samples: [{ atMs: begunMs, bytes: 0 }] };
    this.#arriving.add(watched);
    return { [Symbol.dispose]: () => void this.#arriving.delete(watched) };
  }

  [Symbol.dispose](): void {
    this.#ticking[Symbol.dispose]();
  }

  #look(): void {
    const now = this.#clock.now().epochMilliseconds;
    for (const watched of this.#arriving) {
      if (!this.#isLate(watched, now) && !this.#isSlow(watched, now)) continue;
      this.#arriving.delete(watched);
      watched.body.onLate();
    }
  }

  #isLate({ body, begunMs }: Watched, now: number): boolean {
    const { seconds } = this.#times;
    const { isOpen, announcedBytes } = body;
    const more = Math.max(body.arrivedBytes(), announcedBytes) / BYTES_PER_SECOND_MORE;
    return now - begunMs >= 1000 * (isOpen ? Math.min(seconds, OPEN_SECONDS) : seconds + more);
  }

  #isSlow({ body, samples }: Watched, now: number): boolean {
    const bytes = body.arrivedBytes();
    samples.push({ atMs: now, bytes });
    // Keeps the newest sample that is as old as the window, and those after it.
    while ((samples[1]?.atMs ?? now) <= now - RATE_WINDOW_MS) samples.shift();
    const [first] = samples;
    if (!first || now - first.atMs < RATE_WINDOW_MS) return false;
    return ((bytes - first.bytes) * 1000) / (now - first.atMs) < this.#times.rateBytes;
  }
}
