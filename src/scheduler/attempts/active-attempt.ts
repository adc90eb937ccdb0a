// One attempt of a job: starts the query, waits for its end and returns the outcome. The runner records it.

import { ApiError } from '#contract/errors.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import type { LiveQuery } from '#queries/live-query.ts';
import { cancelledOnRequest, type QueryEnd } from '#queries/status/query-ends.ts';
import { taggedValue } from '#query/rows/tagged-json.ts';
import type { JobRequest } from '#scheduler/job-kind.ts';
import type { AttemptEnd, OpenSlot, TimeWindow } from '#scheduler/slots/slot.ts';

/** Remote address of the queries of attempts. */
const OWN_ADDRESS = '127.0.0.1';

/** Error of an attempt whose process has stopped. */
export const NODE_UNAVAILABLE = 'node-unavailable';

export class ActiveAttempt {
  readonly slot: OpenSlot;
  /** Resolves when its end is recorded. */
  readonly settled: Promise<void>;
  readonly settle: () => void;
  startedAt: number | undefined;
  #query: LiveQuery | undefined;
  #dropsRows = false;

  constructor(slot: OpenSlot) {
    this.slot = slot;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.settled = promise;
    this.settle = resolve;
  }

  /** Checks the text. Returns the end of the attempt where the text is refused. */
  async accept(queries: LiveQueries, request: JobRequest, now: number): Promise<LiveQuery | AttemptEnd> {
    const { slot } = this;
    const window = this.windowOf(request);
    try {
      if (request.refusal) throw request.refusal;
      this.#query = await queries.accept({
        ...request,
        remoteIp: OWN_ADDRESS,
        background: true,
        keepsRows: true,
        constants: constantsOf(slot),
        range: window && { from: instantOf(window.from), to: instantOf(window.to) },
        now: instantOf(slot.clockTime),
      });
      return this.#query;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { state: 'failed', finishedAt: now, rows: null, error: error.message };
    }
  }

  /** The period that it analyses. */
  windowOf({ windows }: JobRequest): TimeWindow | undefined {
    return this.slot.window ?? windows?.at(this.slot.clockTime);
  }

  /** `force` drops its rows. */
  stop({ force }: { force: boolean }): void {
    this.#dropsRows ||= force;
    this.#query?.cancel(cancelledOnRequest());
  }

  cancel(end: QueryEnd): void {
    this.#query?.cancel(end);
  }

  async finished(query: LiveQuery): Promise<void> {
    await query.ended;
    if (this.#dropsRows) await query.dropRows();
  }
}

const instantOf = (epochMilliseconds: number) => Temporal.Instant.fromEpochMilliseconds(epochMilliseconds);

function constantsOf({ constants }: OpenSlot) {
  if (constants === null) return undefined;
  const value = taggedValue(constants);
  if (!(value instanceof Map)) throw new Error('constants of a slot are a map');
  return value;
}

/** The end of an attempt. A stop of the service is recorded like a crash. */
export function endOf({ cancellation, times, rowCount, areRowsDropped }: LiveQuery): AttemptEnd {
  const finishedAt = times.finished?.epochMilliseconds ?? 0;
  const rows = areRowsDropped ? 0 : Number(rowCount);
  if (!cancellation) return { state: 'succeeded', finishedAt, rows, error: null };
  if (cancellation.reason === 'UserRequest') return { state: 'cancelled', finishedAt, rows, error: null };
  const { code, detail = NODE_UNAVAILABLE } = cancellation;
  return { state: 'failed', finishedAt, rows, error: code === undefined ? detail : `(${code}) ${detail}` };
}
