// Takes the body of a sender into its tables: decoded in a thread, its tables found, the records stored and durable before the
// answer. Tables are stored one after another; what fails after the first was stored is reported as rejected.

import { noPermission } from '#contract/errors.ts';
import type { Answer, Call } from '#http/endpoint.ts';
import type { PushLimits } from '#ingest/decode.ts';
import type { Intake } from '#ingest/intake.ts';
import type { LineDecoder } from '#ingest/line-decoder.ts';
import type { Clock } from '#kernel/clock.ts';
import { BodyRefused, type Decoded, FATES, type RecordGroup, type SenderRequest } from './decoded.ts';
import { IdClaims } from './id-claims.ts';
import type { KnownIds } from './known-ids.ts';
import type { SenderName } from './names.ts';
import { RisingNumbers } from './rising-numbers.ts';
import type { Sender } from './sender.ts';
import { isFault, noTable, refusedBody } from './sender-error.ts';
import type { SenderTables } from './sender-tables.ts';
import type { SenderThreads } from './sender-threads.ts';
import { destinationOf, fateNumber, keptLines, markItems, type TableBatch, type TableLines } from './table-lines.ts';
import type { TableMapping } from './table-names.ts';

/** Lines that the scanner may reject one by one; a body with more of them is refused as a whole. */
const MAX_REJECTED_LINES = 20_000;
/** The text of records may be longer than the body: some protocols say once what holds for many records. */
const MAX_EXPANSION = 2;

interface SendersDeps {
  readonly clock: Clock;
  readonly zone: string;
  readonly intake: Intake;
  readonly lineDecoder: LineDecoder;
  readonly threads: SenderThreads;
  readonly tables: SenderTables;
  readonly knownIds: KnownIds;
  readonly limits: PushLimits;
  readonly mappings: readonly TableMapping[];
  readonly observer: SenderObserver;
}

/** Told of everything that is counted, for measuring; `table` is empty for records without one. */
export interface SenderObserver {
  accepted(protocol: SenderName, table: string, counts: { records: number; bytes: number }): void;
  rejected(protocol: SenderName, table: string, records: number): void;
  /** A failure after a part of the request was stored. */
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

  constructor(deps: SendersDeps) {
    this.#deps = deps;
  }

  /** Resolves when every accepted record is durable. */
  async take<Facts>(sender: Sender<Facts>, sent: SentBody, call: SenderCall): Promise<Answer<object>> {
    const begun = performance.now();
    const request = this.#requestOf(sent, call);
    try {
      const { content, gone, accept } = call;
      const decoded = await this.#deps.threads.decode(sender, content.bytes, { request, gone });
      content.hold?.(decoded.groups.reduce((bytes, { lines }) => bytes + lines.length, 0));
      await this.#store(sender, { decoded, request, given: sent.table }, call);
      const { facts, fates } = decoded;
      const milliseconds = Math.round(performance.now() - begun);
      return sender.answer({
        request,
        facts,
        fates,
        accept,
        milliseconds,
        next: (series) => this.#numbers.next(`${sender.name} ${series}`),
      });
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
      limits: { bytes: MAX_EXPANSION * limits.bodyBytes, lineBytes: limits.lineBytes, items: limits.lines },
    };
  }

  async #store<Facts>(sender: Sender<Facts>, { decoded, request, given }: DecodedRequest<Facts>, call: SenderCall) {
    const { fates, groups } = decoded;
    if (sender.rejects === 'request') requireAllKept(fates);
    const lines = await this.#tablesOf(sender, { decoded, given }, call);
    await using claims = new IdClaims(fates);
    await claims.claim(sender, decoded, { lines, knownIds: this.#deps.knownIds, gone: call.gone });
    const batches: TableBatch[] = [];
    for (const one of lines) batches.push(await this.#batchOf(sender, one, { request, fates, gone: call.gone }));
    if (sender.rejects === 'request') requireAllKept(fates);
    await this.#take(sender, batches, { fates, claims, gone: call.gone });
    this.#countRejected(sender, { fates, groups, batches });
  }

  async #tablesOf<Facts>(
    sender: Sender<Facts>,
    { decoded: { groups, fates }, given }: Pick<DecodedRequest<Facts>, 'decoded' | 'given'>,
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
      markItems(fates, group.items, 'forbidden' in one ? 'no-permission' : 'no-table');
    }
    if (forbidden !== undefined) await recordForbidden(forbidden, call);
    return [...byTable.values()];
  }

  async #batchOf<Facts>(
    sender: Sender<Facts>,
    { table, groups }: TableLines,
    { request, fates, gone }: { request: SenderRequest; fates: Uint8Array; gone: AbortSignal },
  ): Promise<TableBatch> {
    const { lineDecoder, limits } = this.#deps;
    const kept = groups.map((group) => keptLines(group, fates));
    const order = {
      source: `${sender.name} ${table.id}`,
      arrival: request.arrival,
      limits: { lineBytes: limits.lineBytes, lines: limits.lines, reported: MAX_REJECTED_LINES },
      gone,
    };
    const parts: TableBatch['parts'][number][] = [];
    let [accepted, acceptedBytes] = [0, 0];
    for (const { lines, items } of kept) {
      if (items.length === 0) continue;
      const decoded = await lineDecoder.decode(Buffer.from(lines.buffer, lines.byteOffset, lines.length), order);
      if (decoded.rejectedCount > decoded.rejected.length) throw new BodyRefused('malformed');
      for (const { line, reason } of decoded.rejected) fates[items[line - 1] ?? 0] = fateNumber(reason);
      parts.push(...decoded.parts);
      accepted += decoded.accepted;
      acceptedBytes += decoded.acceptedBytes;
    }
    return { destination: destinationOf(table), parts, items: kept.map(({ items }) => items), accepted, acceptedBytes };
  }

  async #take<Facts>(
    sender: Sender<Facts>,
    batches: readonly TableBatch[],
    { fates, claims, gone }: { fates: Uint8Array; claims: IdClaims; gone: AbortSignal },
  ): Promise<void> {
    const { intake, observer } = this.#deps;
    let isStored = false;
    for (const batch of batches) {
      const { destination, accepted, acceptedBytes } = batch;
      try {
        await intake.take(destination, batch, { gone });
        isStored = true;
        claims.stored(destination.table.id);
        observer.accepted(sender.name, destination.table.name, { records: accepted, bytes: acceptedBytes });
      } catch (error) {
        // A protocol that reports each item can say that it should come again.
        if (gone.aborted || !(isStored || (sender.rejectsTables === 'item' && isFault(error)))) throw error;
        if (!isFault(error)) observer.failed(error);
        for (const items of batch.items) markItems(fates, items, 'not-kept');
      }
    }
  }

  #countRejected<Facts>(
    { name }: Sender<Facts>,
    { fates, groups, batches }: { fates: Uint8Array; groups: readonly RecordGroup[]; batches: readonly TableBatch[] },
  ): void {
    const { observer } = this.#deps;
    let rejected = fates.reduce((count, fate) => count + Number(fate !== 0), 0);
    if (rejected === 0) return;
    for (const { destination, items } of batches) {
      const ofTable = groups.length === 0 ? 0 : rejectedIn(items, fates);
      if (ofTable > 0) observer.rejected(name, destination.table.name, ofTable);
      rejected -= ofTable;
    }
    if (rejected > 0) observer.rejected(name, '', rejected);
  }
}

interface DecodedRequest<Facts> {
  readonly decoded: Decoded<Facts>;
  readonly request: SenderRequest;
  readonly given: string | undefined;
}

const rejectedIn = (items: readonly Uint32Array[], fates: Uint8Array): number =>
  items.reduce((sum, some) => sum + some.reduce((count, item) => count + Number(fates[item] !== 0), 0), 0);

/** The first item at fault refuses the request. */
function requireAllKept(fates: Uint8Array): void {
  const item = fates.findIndex((fate) => fate !== 0);
  if (item === -1) return;
  const fate = FATES[fates[item] ?? 0];
  const fault = fate === 'event-missing' || fate === 'event-blank' ? fate : 'malformed';
  throw new BodyRefused(fault, { item });
}

/** The answer is a success, with items that were refused. */
async function recordForbidden(table: string, { note, recordAsFailed, entry }: SenderCall): Promise<void> {
  note({ table });
  recordAsFailed(noPermission().message);
  await entry.write();
}
