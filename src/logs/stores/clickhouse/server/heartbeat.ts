// Whether a server still answers while a long statement is under way there: a statement may take an hour, and a server that hangs
// must not be waited for that long. All statements on a server share its pings.

import { type Clock, withTimeout } from '#kernel/time/clock.ts';
import { http, https } from '#runtime/http-clients.ts';
import { Rounds } from '#runtime/periodic.ts';

interface HeartbeatDeps {
  /** Of real time. */
  readonly clock: Clock;
  ping(signal: AbortSignal): Promise<boolean>;
}

const PERIOD = Temporal.Duration.from({ seconds: 3 });
/** For a server that is busy, not gone. */
const MAX_WAIT = Temporal.Duration.from({ seconds: 5 });

export class Heartbeat {
  readonly #deps: HeartbeatDeps;
  /** All statements share one ping. */
  readonly #pings = new Rounds(() => this.#ping());

  constructor(deps: HeartbeatDeps) {
    this.#deps = deps;
  }

  /** Resolves when the server does not answer any more, or when `until` is aborted. */
  async lost(until: AbortSignal): Promise<void> {
    do {
      await this.#deps.clock.sleep(PERIOD, until);
    } while (!until.aborted && (await this.#pings.join()));
  }

  async #ping(): Promise<boolean> {
    const over = new AbortController();
    try {
      return await withTimeout(this.#deps.clock, MAX_WAIT, this.#deps.ping(over.signal), false);
    } finally {
      over.abort();
    }
  }
}

interface PingTarget {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  readonly signal: AbortSignal;
}

/** On a connection of its own: those of statements may all be taken. */
export function answersPing({ host, port, isTls, signal }: PingTarget): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const about = { host, port, path: '/ping', agent: false, signal };
  const sending = (isTls ? https : http).request(about, (answer) => {
    answer.resume();
    resolve(true);
  });
  sending.on('error', () => resolve(false));
  sending.end();
  return promise;
}
