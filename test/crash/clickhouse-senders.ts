// Clients of a service whose logs are on ClickHouse: some push, some upload. Each goes on until the service is gone or it is told to
// end; an upload that was broken off is finished after the next start, as its client would.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { push, rowsOf } from '#test/support/logs.ts';
import type { Reply, Service } from '#test/support/service.ts';
import { append, complete, openWith, probe } from '#test/support/uploads.ts';
import { type Batch, BatchLedger, numbersOf } from './batch-ledger.ts';

type Caller = Pick<Service, 'call'>;

/** A file on its way into the table. */
interface Upload {
  readonly batch: Batch;
  readonly bytes: Buffer;
  token: string | undefined;
}

const NOON = Temporal.Instant.from('2026-11-15T03:00:00Z').epochMilliseconds;
const DAY = 86_400_000;
/** Of the log store, and of senders that were faster than it. */
const PASSING = [429, 503];
const PAUSE_MS = 50;

export class Senders {
  readonly ledger = new BatchLedger();
  readonly #table: string;
  readonly #logger: string;
  readonly #unfinished = new Set<Upload>();
  #next = 1;

  constructor({ table, logger }: { readonly table: string; readonly logger: string }) {
    this.#table = table;
    this.#logger = logger;
  }

  /** Rejects where a client is answered as it should never be. Clients of one service end with it, those of many go on. */
  async work(service: Caller, until: AbortSignal, { isOneOfMany = false } = {}): Promise<void> {
    await Promise.all(
      [
        () => this.#push(service, { most: 8, days: 1 }),
        () => this.#push(service, { most: 8, days: 1 }),
        () => this.#push(service, { most: 8, days: 2 }),
        () => this.#upload(service, this.#newUpload(40)),
        () => this.#upload(service, this.#newUpload(400)),
      ].map(async (send) => {
        while (!until.aborted && ((await isAnswered(send())) || isOneOfMany)) await sleep(Math.random() * 10);
      }),
    );
  }

  /** What the table holds once all uploads are finished is what was acknowledged; gives the number of records. */
  async settle(service: Caller): Promise<number> {
    for (const one of [...this.#unfinished]) await this.#upload(service, one);
    const rows = await rowsOf(service, `table ${this.#table} | fields n, text`);
    for (const { n, text } of rows) expect(text).toBe(textOf(n));
    this.ledger.settle(rows.map(({ n }) => n));
    expect(await rowsOf(service, `table ${this.#table} | stats count`)).toEqual([{ count: rows.length }]);
    return rows.length;
  }

  async #push(service: Caller, size: { readonly most: number; readonly days: number }): Promise<void> {
    const batch = this.#take(size.most);
    this.ledger.note('begun', batch);
    const answer = await push(service, this.#logger, { body: linesOf(batch, size.days) });
    expect([200, ...PASSING], answer.text).toContain(answer.status);
    if (answer.status === 200) expect(answer.json.accepted).toBe(batch.count);
    this.ledger.note(answer.status === 200 ? 'stored' : 'refused', batch);
  }

  #newUpload(most: number): Upload {
    const batch = this.#take(most);
    const made = { batch, bytes: Buffer.from(linesOf(batch, 3)), token: undefined };
    this.ledger.note('begun', batch);
    this.#unfinished.add(made);
    return made;
  }

  /** From wherever it is to its end. */
  async #upload(service: Caller, one: Upload): Promise<void> {
    const { bytes, batch } = one;
    one.token ??= await this.#opened(service, bytes.length);
    const { token } = one;
    const half = Math.ceil(bytes.length / 2);
    for (let offset = 0; offset < bytes.length; ) {
      const asked = await answeredBy(() => probe(service, token));
      expect(asked.status).toBe(200);
      offset = Number(asked.headers.get('upload-offset'));
      const piece = bytes.subarray(offset, offset < half ? half : bytes.length);
      if (piece.length === 0) break;
      const answer = await append(service, token, { offset, body: piece });
      // A piece that was not answered as stored may be: then the stream is asked again.
      expect([204, ...PASSING], answer.text).toContain(answer.status);
      if (answer.status === 204) offset += piece.length;
    }
    const { json, text } = await answeredBy(() => complete(service, token));
    expect(json, text).toEqual({ accepted: batch.count, rejected: [], rejected_count: 0 });
    this.ledger.note('stored', batch);
    this.#unfinished.delete(one);
  }

  async #opened(service: Caller, size: number): Promise<string> {
    const metadata = { table: this.#table, format: 'ndjson' };
    const answer = await answeredBy(() => openWith(service, { file_size: size, metadata }));
    expect(answer.status, answer.text).toBe(201);
    return answer.json.token;
  }

  #take(most: number): Batch {
    const batch = { first: this.#next, count: 1 + Math.floor(Math.random() * most) };
    this.#next += batch.count;
    return batch;
  }
}

const textOf = (n: number): string => `한글 ${n}`;

/** In turn on so many days. */
const linesOf = (batch: Batch, days: number): string =>
  numbersOf(batch)
    .map((n, index) => `${JSON.stringify({ n, text: textOf(n), _time: NOON - (index % days) * DAY })}\n`)
    .join('');

/** Asks again while the log store does not answer. */
async function answeredBy(ask: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const answer = await ask();
    if (!PASSING.includes(answer.status)) return answer;
    await sleep(PAUSE_MS);
  }
}

/** False where the service is gone. */
const isAnswered = (work: Promise<void>): Promise<boolean> =>
  work.then(
    () => true,
    (reason: unknown) => {
      if (reason instanceof TypeError && ['fetch failed', 'terminated'].includes(reason.message)) return false;
      throw reason;
    },
  );
