// A query of the service, from its start to the removal of its rows and status.

import { brokenOff, type Client } from '#cli/kit/client.ts';
import { isTransient, ServiceError } from '#cli/kit/failures/failure.ts';
import type { TextFindings } from '#cli/kit/failures/findings.ts';
import type { AnswerFor } from '#client/call.ts';
import { type Clock, systemClock } from '#kernel/time/clock.ts';
import { UsageError } from '#kernel/usage-error.ts';
import { type Attempts, type RetryDelays, retry } from '#runtime/retry.ts';
import { eventData } from './event-stream.ts';

/** Delays between attempts to follow the status without an event. */
const RETRY_DELAYS: RetryDelays = { ms: [250, 500, 1000, 2000, 4000] };

/** The fields of the status record in use here. */
export type QueryStatus = Pick<
  AnswerFor<'GET /api/core/queries/:id'>,
  | 'rows'
  | 'elapsed'
  | 'is_finished'
  | 'is_cancelled'
  | 'commands'
  | 'sub_queries'
  | 'error_code'
  | 'error_detail'
  | 'cancel_reason'
  | 'warnings'
  | 'notices'
  | 'hints'
>;

export class QueryRun implements AsyncDisposable {
  readonly id: number;
  /** Warnings about the text, and their hints. */
  readonly findings: TextFindings;
  readonly #client: Client;
  readonly #clock: Clock;

  private constructor(client: Client, { id, ...findings }: AnswerFor<'POST /api/core/cursors'>, clock: Clock) {
    this.#client = client;
    this.id = id;
    this.findings = findings;
    this.#clock = clock;
  }

  /**
   * Not in the background: if this process is killed or loses its connection, the service cancels the query after the idle
   * timeout of the session.
   */
  static async begin(
    client: Client,
    { text, params }: { text: string; params: string },
    clock = systemClock,
  ): Promise<QueryRun> {
    const answer = await client.call('POST /api/core/cursors', {
      q: text,
      background: false,
      params,
    });
    return new QueryRun(client, answer, clock);
  }

  /** Resolves to the last status, once the query has ended. `seen` receives every status. */
  async end(seen: (status: QueryStatus) => void): Promise<QueryStatus> {
    const options = { clock: this.#clock, delays: RETRY_DELAYS, mayRetry: isTransient };
    return await retry((attempts) => this.#follow(seen, attempts), options).catch((error) => {
      throw asQueryError(error, this.#client.url);
    });
  }

  async #follow(seen: (status: QueryStatus) => void, { startOver }: Attempts): Promise<QueryStatus> {
    const events = await this.#client.stream('GET /api/core/queries/:id/events', { id: this.id });
    for await (const data of eventData(events)) {
      const status: QueryStatus = JSON.parse(data);
      seen(status);
      if (status.is_finished) return status;
      startOver();
    }
    throw brokenOff(this.#client.url, undefined);
  }

  async cancel(): Promise<void> {
    await this.#client.call('POST /api/core/queries/:id/cancel', { id: this.id });
  }

  /** Removes rows and status; cancels a running query. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.#client.call('DELETE /api/core/cursors/:id', { id: this.id });
    } catch (error) {
      // The service removes them after a time; an earlier error says more than this one.
      if (!(error instanceof UsageError || error instanceof ServiceError)) throw error;
    }
  }
}

const asQueryError = (error: unknown, url: string): unknown =>
  error instanceof TypeError ? brokenOff(url, error) : error;
