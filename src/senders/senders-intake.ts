// Takes the body of a sender into its tables: decoded in a thread, its tables found, the records stored and durable before the
// answer. Tables are stored one after another; what fails after the first was stored is reported as rejected.

import { noPermission } from '#contract/errors.ts';
import type { CountObserver } from '#ingest/counts/counters.ts';
import type { Counts } from '#ingest/counts/counts.ts';
import type { PushLimits } from '#ingest/decode/decode.ts';
import type { LineDecoder } from '#ingest/decode/line-decoder.ts';
import type { Intake } from '#ingest/intake.ts';
import type { Readers } from '#ingest/reading/reader.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { Answer, Call } from '#operations/endpoint.ts';
import { SliceTimer } from '#runtime/event-loop.ts';
import { declaredBytes } from './declared-bytes.ts';
import { BodyRefused, type Decoded, type RecordGroup, type SenderRequest } from './decoded.ts';
import { Fates } from './fates.ts';
import { IdClaims } from './ids/id-claims.ts';
import type { KnownIds } from './ids/known-ids.ts';
import { RisingNumbers } from './ids/rising-numbers.ts';
import type { SenderName } from './names.ts';
import { parseLines } from './records/parsed-lines.ts';
import { suggestedReader } from './records/suggested-reader.ts';
import type { Sender } from './sender.ts';
import { isFault, mayPass, noTable, refusedBody } from './sender-error.ts';
import { ForeseenTables, likeOf } from './tables/foreseen-tables.ts';
import type { SenderTables } from './tables/sender-tables.ts';
import {
  countRejected,
  destinationOf,
  type FoundBatch,
  filedTableBatch,
  keptLines,
  rejectItems,
  type TableBatch,
  type TableLines,
} from './tables/table-lines.ts';
import type { TableMapping } from './tables/table-names.ts';
import type { SenderThreads } from './threads/sender-threads.ts';

/** Lines that the scanner may reject one by one; a body with more of them is refused as a whole. */
const MAX_REJECTED_LINES = 20_000;
/** The text of records may be longer than the body: some protocols say once what holds for many records. */
const MAX_EXPANSION = 2;
/** Tables of a request whose records become files: each takes memory of its own until all are stored. */
const MAX_FILED_TABLES = 4;

interface SendersDeps {
  readonly clock: Clock;
  readonly zone: string;
  readonly intake: Intake;
  readonly readers: Readers;
  readonly lineDecoder: LineDecoder;
  readonly threads: SenderThreads;
  readonly tables: SenderTables;
  readonly knownIds: KnownIds;
  readonly limits: PushLimits;
  readonly mappings: readonly TableMapping[];
  readonly counts: CountObserver;
  /** Reports a failure after a part of a request was stored. */
  failed(error: unknown): void;
}

export type SenderCall = Pick<
  Call,
  'caller' | 'remoteIp' | 'requestId' | 'content' | 'gone' | 'accept' | 'note' | 'recordAsFailed' | 'entry'
>;

export interface SentBody {
  readonly route: string;
  /** The table that the request itself names. */
  readonly table: string | undefined;
  readonly params: Readonly<Record<string, string>>;
}

export class SendersIntake {
  readonly #deps: SendersDeps;
  readonly #numbers = new RisingNumbers();
  readonly #foreseen = new ForeseenTables();

  constructor(deps: SendersDeps) {
    this.#deps = deps;
  }

  /** Resolves when every accepted record is durable. */
  async take<Facts>(sender: Sender<Facts>, sent: SentBody, call: SenderCall): Promise<Answer<object>> {
    const begun = performance.now();
    const request = this.#requestOf(sent, call);
    try {
      const { caller, content, gone, accept } = call;
      const account = caller.userGuid;
      const like = likeOf(sender.name, account, sent.table, sent.params.index);
      const foreseen = this.#foreseen.of(like);
      content.hold?.(declaredBytes(sender, content, request));
      using taken = await this.#deps.threads.decode(sender, content.bytes, { request, account, foreseen, gone });
      const { decoded, batch } = taken;
      const fates = new Fates(decoded);
      const found = batch && foreseen && { batch, tableId: foreseen.table.id };
      const batches = await this.#store(sender, { decoded, found, fates, request, given: sent.table }, call);
      this.#foreseen.learn(like, decoded.groups, batches);
      const milliseconds = Math.round(performance.now() - begun);
      const next = (series: string) => this.#numbers.next(`${sender.name} ${series}`);
      return sender.answer({ request, facts: decoded.facts, fates, accept, milliseconds, next });
    } catch (error) {
      throw error instanceof BodyRefused ? refusedBody(error, request.limits) : error;
    }
  }

  #requestOf({ route, params }: SentBody, { content }: SenderCall): SenderRequest {
    const { clock, zone, limits, mappings } = this.#deps;
    return {
      route,
      type: content.type,
      encoding: content.encoding === 'snappy' ? 'snappy' : 'identity',
      params,
      arrival: { at: clock.now().epochMilliseconds, zone },
      mappings,
      limits: {
        bodyBytes: limits.bodyBytes,
        lineBytes: limits.lineBytes,
        items: limits.lines,
        bytes: MAX_EXPANSION * limits.bodyBytes,
      },
    };
  }

  async #store<Facts>(
    sender: Sender<Facts>,
    sent: DecodedRequest<Facts>,
    call: SenderCall,
  ): Promise<readonly TableBatch[]> {
    try {
      call.content.hold?.(sent.decoded.groups.reduce((bytes, { lines }) => bytes + lines.length, 0));
      return await this.#storeHeld(sender, sent, call);
    } catch (error) {
      // The body was read: a client of a protocol that reports each item gives up on a whole refusal, and repeats items.
      if (sender.reportsFaults !== 'item' || call.gone.aborted || !mayPass(error)) throw error;
      for (const { items } of sent.decoded.groups) await rejectItems(sent.fates, items, 'not-kept');
      await this.#countRejected(sender, sent.fates, []);
      return [];
    }
  }

  async #storeHeld<Facts>(
    sender: Sender<Facts>,
    sent: DecodedRequest<Facts>,
    call: SenderCall,
  ): Promise<readonly TableBatch[]> {
    const { decoded, found, fates, request } = sent;
    const lines = await this.#tablesOf(sender, sent, call);
    await using claims = new IdClaims(fates);
    await claims.claim(sender, decoded, { lines, knownIds: this.#deps.knownIds, gone: call.gone });
    using held = new DisposableStack();
    const batches: TableBatch[] = [];
    const hold = (bytes: number) => call.content.hold?.(bytes);
    const context = { request, found, fates, held, isFiled: lines.length <= MAX_FILED_TABLES, hold, gone: call.gone };
    for (const one of lines) batches.push(await this.#batchOf(sender, one, context));
    await this.#take(sender, batches, { fates, claims, gone: call.gone });
    await this.#countRejected(sender, fates, batches);
    return batches;
  }

  async #tablesOf<Facts>(
    sender: Sender<Facts>,
    { decoded: { groups }, fates, given }: DecodedRequest<Facts>,
    call: SenderCall,
  ): Promise<TableLines[]> {
    const names = groups.map(({ name }) => name);
    const found = await this.#deps.tables.find(names, given, call);
    const byTable = new Map<number, { table: TableLines['table']; groups: RecordGroup[] }>();
    let forbidden: string | undefined;
    for (const group of groups) {
      const one = found.get(group.name) ?? { missing: '' };
      if ('table' in one) {
        const lines = byTable.get(one.table.id) ?? { table: one.table, groups: [] };
        byTable.set(one.table.id, lines);
        lines.groups.push(group);
        continue;
      }
      if ('forbidden' in one) forbidden ??= one.forbidden;
      if (sender.rejectsTables === 'request') throw 'forbidden' in one ? noPermission() : noTable(one.missing);
      await rejectItems(fates, group.items, 'forbidden' in one ? 'no-permission' : 'no-table');
    }
    if (forbidden !== undefined) await recordForbidden(forbidden, call);
    return [...byTable.values()];
  }

  async #batchOf<Facts>(
    sender: Sender<Facts>,
    { table, groups }: TableLines,
    { request, found, fates, held, isFiled, hold, gone }: BatchContext,
  ): Promise<TableBatch> {
    const { lineDecoder, limits } = this.#deps;
    const destination = destinationOf(table, sender.name);
    const reader = await suggestedReader(this.#deps.readers, sender, { request, table: table.name });
    const batch =
      found && !reader ? await filedTableBatch(found, { table, groups }, { fates, destination }) : undefined;
    if (batch) return batch;
    const order = {
      source: `${sender.name} ${table.id}`,
      arrival: request.arrival,
      limits: { lineBytes: limits.lineBytes, lines: limits.lines, reported: MAX_REJECTED_LINES },
      // A parser looks at each record, and a file has all records of a table: otherwise none is used.
      ...(isFiled && !reader && groups.length === 1 ? { table: destination.table } : {}),
      hold,
      gone,
    };
    const parts: TableBatch['parts'][number][] = [];
    let accepted = 0;
    let acceptedBytes = 0;
    const timer = new SliceTimer();
    for (const group of groups) {
      const { lines, items } = await keptLines(group, fates);
      await timer.yieldIfDue();
      if (items.length === 0) continue;
      const bytes = Buffer.from(lines.buffer, lines.byteOffset, lines.length);
      const decoded = held.use(await lineDecoder.decode(bytes, order));
      if (decoded.rejectedCount > decoded.rejected.length) throw new BodyRefused('malformed');
      for (const { line, reason } of decoded.rejected) fates.reject(items[line - 1] ?? 0, reason);
      parts.push(...decoded.parts);
      accepted += decoded.accepted;
      acceptedBytes += decoded.acceptedBytes;
    }
    const read = reader ? [await parseLines(parts, { reader, arrivedAt: request.arrival.at, gone })] : parts;
    return { destination, parts: read, groups, accepted, acceptedBytes };
  }

  async #take<Facts>(
    sender: Sender<Facts>,
    batches: readonly TableBatch[],
    { fates, claims, gone }: { fates: Fates; claims: IdClaims; gone: AbortSignal },
  ): Promise<void> {
    const { intake, counts, failed } = this.#deps;
    let isStored = false;
    for (const batch of batches) {
      const { destination, accepted, acceptedBytes } = batch;
      try {
        await intake.take(destination, batch, { gone });
        isStored = true;
        claims.stored(destination.table.id);
        const source = { protocol: sender.name, table: destination.table.name };
        counts.counted(source, { ...NOTHING, logs: accepted, volume: acceptedBytes }, 'rejected');
      } catch (error) {
        if (gone.aborted || sender.reportsFaults === 'request') throw error;
        // A protocol that reports each item can say that it should come again.
        if (!(isStored || (sender.reportsFaults === 'item' && isFault(error)))) throw error;
        if (!isFault(error)) failed(error);
        for (const { items } of batch.groups) await rejectItems(fates, items, 'not-kept');
      }
    }
  }

  /** Records without a table are counted under an empty name; the bytes of rejected ones are not known. */
  async #countRejected({ name }: { name: SenderName }, fates: Fates, batches: readonly TableBatch[]): Promise<void> {
    const count = (table: string, drops: number) => {
      if (drops > 0) this.#deps.counts.counted({ protocol: name, table }, { ...NOTHING, drops }, 'rejected');
    };
    let { rejected } = fates;
    for (const { destination, groups } of batches) {
      let ofTable = 0;
      for (const { items } of groups) ofTable += await countRejected(fates, items);
      count(destination.table.name, ofTable);
      rejected -= ofTable;
    }
    count('', rejected);
  }
}

const NOTHING: Counts = { logs: 0, volume: 0, drops: 0, dropVolume: 0 };

interface BatchContext {
  readonly request: SenderRequest;
  readonly found: FoundBatch | undefined;
  readonly fates: Fates;
  /** The memory of decoded records, until they are stored. */
  readonly held: DisposableStack;
  /** Whether records may become a file. */
  readonly isFiled: boolean;
  /** Counts the memory of decoded records; throws where there is none. */
  hold(bytes: number): void;
  readonly gone: AbortSignal;
}

interface DecodedRequest<Facts> {
  readonly decoded: Decoded<Facts>;
  readonly found: FoundBatch | undefined;
  readonly fates: Fates;
  readonly request: SenderRequest;
  readonly given: string | undefined;
}

/** The answer is not a refusal by itself: other items may be stored. */
async function recordForbidden(table: string, { note, recordAsFailed, entry }: SenderCall): Promise<void> {
  note({ table });
  recordAsFailed(noPermission().message);
  await entry.write();
}
