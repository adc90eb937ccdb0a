// Records as they arrive: a query over a window of some minutes, read with `wait`, and followed by the next window before it
// ends. A lost connection is reported and tried again; the query goes on meanwhile, so that no record is missed.

import type { Client } from '#cli/kit/client.ts';
import { isTransient, ServiceError } from '#cli/kit/failures/failure.ts';
import type { AnswerFor } from '#client/call.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { type RetryDelays, retry } from '#runtime/retry.ts';
import { rowLines } from './row-lines.ts';
import { SharedRows } from './shared-rows.ts';

const WAIT_SECONDS = 20;
const PAGE_ROWS = 1000;
/** After a page that is not full: records that trickle in are not a request each. */
const PAUSE_MS = 200;
const RETRY_DELAYS: RetryDelays = { ms: [250, 500, 1000, 2000, 4000], isEndless: true };

export interface FollowDeps {
  readonly client: Client;
  readonly clock: Clock;
  /** Ends the records. */
  readonly signal: AbortSignal;
  /** Called once for each loss. */
  onLost(error: unknown): void;
  /** The connection is back. */
  onFound(): void;
  /** Records may have arrived that no window has. */
  onGap(): void;
  /** The error of a query that was cancelled or has failed. */
  failureOf(status: EndedQuery): Error | undefined;
}

type EndedQuery = AnswerFor<'GET /api/core/queries/:id'>;

export interface FollowOptions {
  /** Reads a window of `windowMs`. */
  readonly text: string;
  readonly windowMs: number;
  /** The next window begins so long before the end of the one that is read. */
  readonly overlapMs: number;
}

interface Window {
  readonly id: number;
  readonly beganMs: number;
}

export class FollowedRecords implements AsyncDisposable {
  readonly #deps: FollowDeps;
  readonly #options: FollowOptions;
  readonly #open = new Set<number>();
  #isLost = false;
  #next: Promise<Window | undefined> | undefined;
  /** Rows of the present window that the next one has too, once that has begun. */
  #shared: SharedRows | undefined;

  constructor(deps: FollowDeps, options: FollowOptions) {
    this.#deps = deps;
    this.#options = options;
  }

  /** Each record as the JSON that the service gave. Ends with the signal alone. */
  async *lines(): AsyncGenerator<string> {
    const { signal } = this.#deps;
    let window = await this.#begin({ isRefresh: false });
    let earlier = new SharedRows();
    while (!signal.aborted) {
      const isLeft = new AbortController();
      this.#next = this.#beginNext(window, isLeft.signal);
      // Awaited below, or when all ends.
      this.#next.catch(() => undefined);
      try {
        yield* this.#linesOf(window, earlier);
      } finally {
        isLeft.abort();
      }
      const next = await this.#next;
      if (signal.aborted) return;
      earlier = this.#shared ?? new SharedRows();
      this.#shared = undefined;
      await this.#remove(window.id);
      if (!next) this.#deps.onGap();
      window = next ?? (await this.#begin({ isRefresh: true }));
    }
  }

  /** Undefined where the present window is left before the next one is due. */
  async #beginNext({ beganMs }: Window, isLeft: AbortSignal): Promise<Window | undefined> {
    const { clock, signal } = this.#deps;
    const { windowMs, overlapMs } = this.#options;
    const delay = beganMs + windowMs - overlapMs - clock.now().epochMilliseconds;
    // Output that is read slowly reaches a window after its end.
    if (delay < -overlapMs) return undefined;
    const ends = AbortSignal.any([signal, isLeft]);
    await this.#pause(Math.max(0, delay), ends);
    if (ends.aborted) return undefined;
    this.#shared = new SharedRows();
    return await this.#begin({ isRefresh: true });
  }

  /** In the background, because refreshes keep no session alive: the query ends with its window. */
  async #begin({ isRefresh }: { readonly isRefresh: boolean }): Promise<Window> {
    const { client, clock } = this.#deps;
    return await this.#untilAnswered(async () => {
      const beganMs = clock.now().epochMilliseconds;
      const request = { q: this.#options.text, background: true };
      // Not ended by the signal: a window that has begun unnoticed could not be removed.
      const answer = await client.ask('POST /api/core/cursors', request, { isRefresh });
      const { id } = await client.readExactly<AnswerFor<'POST /api/core/cursors'>>(answer);
      this.#open.add(id);
      return { id, beganMs };
    });
  }

  /** Ends early where the service no longer has the window, as after its restart. */
  async *#linesOf({ id }: Window, earlier: SharedRows): AsyncGenerator<string> {
    const { client, signal } = this.#deps;
    for (let offset = 0, isFinished = false; !isFinished; ) {
      const request = { id, offset, limit: PAGE_ROWS, format: 'json', times: 'millis', wait: WAIT_SECONDS } as const;
      const answer = await this.#unlessGone(() =>
        client.ask('GET /api/core/cursors/:id', request, { signal, isRefresh: true }),
      );
      if (!answer) return;
      const before = offset;
      for await (const line of this.#whole(answer)) {
        offset += 1;
        this.#shared?.add(line);
        if (!earlier.take(line)) yield line;
      }
      const hasEnded = answer.headers.get('x-query-finished') === 'true';
      isFinished = hasEnded && offset === before && !this.#isLost;
      if (offset > before && offset < before + PAGE_ROWS) await this.#pause(PAUSE_MS);
    }
    await this.#requireSuccess(id);
  }

  /** The rows behind a lost connection are asked for again. */
  async *#whole({ body }: Response): AsyncGenerator<string> {
    try {
      if (body) yield* rowLines(body);
    } catch (error) {
      if (this.#deps.signal.aborted || !isTransient(error)) throw error;
      this.#lose(error);
    }
  }

  /** A query that the end of the service has interrupted is followed by the next one. */
  async #requireSuccess(id: number): Promise<void> {
    const { client, failureOf, signal } = this.#deps;
    const answer = await this.#unlessGone(() =>
      client.ask('GET /api/core/queries/:id', { id }, { signal, isRefresh: true }),
    );
    const status = answer && (await client.readExactly<EndedQuery>(answer));
    if (!status || status.cancel_reason === 'Interrupted') return;
    const failure = failureOf(status);
    if (failure) throw failure;
  }

  async #unlessGone<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await this.#untilAnswered(work);
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'invalid-query-id') return undefined;
      throw error;
    }
  }

  async #untilAnswered<T>(work: () => Promise<T>): Promise<T> {
    const { clock, signal } = this.#deps;
    const mayRetry = (error: unknown) => {
      if (signal.aborted) return false;
      const isRetried = isTransient(error) || isBusy(error);
      if (isRetried) this.#lose(error);
      // An answer, if not the one that was asked for.
      else this.#find();
      return isRetried;
    };
    const done = await retry(work, { clock, delays: RETRY_DELAYS, signal, mayRetry });
    this.#find();
    return done;
  }

  async #pause(milliseconds: number, signal = this.#deps.signal): Promise<void> {
    await this.#deps.clock.sleep(Temporal.Duration.from({ milliseconds }), signal);
  }

  #lose(error: unknown): void {
    if (!this.#isLost) this.#deps.onLost(error);
    this.#isLost = true;
  }

  #find(): void {
    if (this.#isLost) this.#deps.onFound();
    this.#isLost = false;
  }

  async #remove(id: number): Promise<void> {
    this.#open.delete(id);
    try {
      await this.#deps.client.call('DELETE /api/core/cursors/:id', { id });
    } catch (error) {
      // A window ends by itself, and the service removes its rows after a time.
      if (!isTransient(error) && !(error instanceof ServiceError)) throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#next?.catch(() => undefined);
    await Promise.all([...this.#open].map((id) => this.#remove(id)));
  }
}

/** More requests wait than the account may have: others may end. */
const isBusy = (error: unknown): boolean => error instanceof ServiceError && error.code === 'too-many-requests';
