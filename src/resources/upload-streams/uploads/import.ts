// The import of a complete upload: decoded block by block into a staging area, and committed to the table in the transaction that
// records the outcome. A crash or cancellation before that leaves nothing.

import { type ApiError, noSpaceLeft, notFound, noUploadStream, wrongGzip } from '#contract/errors.ts';
import { WrongGzip } from '#files/gunzip.ts';
import type { CountObserver } from '#ingest/counts/counters.ts';
import type { LineDecoder } from '#ingest/decode/line-decoder.ts';
import { countRepaired } from '#ingest/decode/repair.ts';
import type { Examination, Watcher } from '#ingest/intake.ts';
import { type Block, decodeUpload } from '#ingest/uploads/upload-decode.ts';
import { decodeUploadedLines } from '#ingest/uploads/upload-lines.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { type LogStore, NoSpace, type Staging, TableGone, type TableSpec } from '#logs/log-store.ts';
import type { UnitEntry } from '#operations/endpoint.ts';
import { type Outcome, textOf } from '#resources/upload-streams/model.ts';
import { isOutOfSpace } from '#store/no-space.ts';
import type { UploadStreamRow } from '#store/schema/schema.ts';
import { PartCorrupted } from '#vault/part-cipher.ts';
import { completeStream } from './store.ts';
import type { UploadLimits } from './uploads.ts';

export interface ImportDeps {
  readonly engine: LogStore;
  readonly clock: Clock;
  /** The uploaded bytes. */
  readonly bytes: AsyncIterable<Buffer>;
  readonly limits: Pick<UploadLimits, 'lineBytes' | 'reported'>;
  /** Time zone of times without an offset. */
  readonly zone: string;
  readonly lineDecoder: LineDecoder;
  /** Examines imported logs; events are raised with the import. */
  readonly watcher: Watcher;
  readonly repaired: CountObserver['repaired'];
  /** Audit entry of the request, if any. */
  readonly entry: UnitEntry | undefined;
  /** The error for a corrupted part. */
  damaged(cause: PartCorrupted): ApiError;
}

const PROTOCOL = 'upload';

export type ImportedTable = TableSpec & { readonly schema_code: string | null };

/** Rejects with the reason of an aborted signal. */
export async function importUpload(
  row: UploadStreamRow,
  table: ImportedTable,
  deps: ImportDeps & { readonly signal: AbortSignal },
): Promise<Outcome> {
  const { engine, clock, limits, damaged, signal, watcher, repaired, entry } = deps;
  const { token } = row;
  const blocks = blocksOf(row, table, deps);
  const examination = watcher.examine({ table, schemaCode: table.schema_code, origin: undefined, protocol: PROTOCOL });
  const staging = await stageOf(engine, table);
  try {
    const { repairedCount, ...outcome } = await stageAll(blocks, staging, {
      signal,
      reported: limits.reported,
      examination,
    });
    const finding = examination.finding();
    await staging.commit(async (db) => {
      const now = clock.now().epochMilliseconds;
      if (!(await completeStream(db, token, JSON.stringify(outcome), now))) throw noUploadStream(token);
      await finding?.raise(db);
      entry?.add({ accepted: outcome.accepted, rejected_count: outcome.rejected_count });
    });
    entry?.committed();
    await finding?.raised();
    examination.kept();
    if (repairedCount > 0) repaired({ protocol: PROTOCOL, table: table.name }, repairedCount);
    return outcome;
  } catch (cause) {
    await staging.discard();
    // Cancellation removes the part, which is not corruption.
    throw signal.aborted ? signal.reason : asApiError(cause, row, damaged);
  }
}

function blocksOf(
  row: UploadStreamRow,
  table: TableSpec,
  { clock, bytes, limits, zone, lineDecoder, signal }: ImportDeps & { readonly signal: AbortSignal },
): AsyncIterable<Block> {
  const arrival = { at: clock.now().epochMilliseconds, zone };
  const how = { arrival, lineLimitBytes: limits.lineBytes };
  const pieces = textOf(row, bytes);
  return row.format === 'ndjson'
    ? decodeUploadedLines(pieces, { ...how, table, lineDecoder, reported: limits.reported, signal })
    : decodeUpload(pieces, { ...how, format: row.format });
}

async function stageAll(
  blocks: AsyncIterable<Block>,
  staging: Staging,
  { signal, reported, examination }: { signal: AbortSignal; reported: number; examination: Examination },
): Promise<Outcome & { readonly repairedCount: number }> {
  const tally = { accepted: 0, rejected: [] as Outcome['rejected'][number][], rejected_count: 0, repairedCount: 0 };
  // The next block is decoded while the engine works on the one before.
  let adding: Promise<unknown> = Promise.resolve();
  let before: Block | undefined;
  for await (const block of blocks) {
    const { batches, accepted, rejected, rejectedCount } = block;
    await adding;
    before?.release();
    before = block;
    if (signal.aborted) throw signal.reason;
    const added = batches.map((batch) => staging.add(batch));
    adding = Promise.all(added);
    // Awaited with the next block; prevents an unhandled rejection until then.
    adding.catch(() => undefined);
    tally.accepted += accepted;
    tally.rejected_count += rejectedCount;
    tally.repairedCount += countRepaired(batches);
    tally.rejected.push(...rejected.slice(0, reported - tally.rejected.length));
    for (const [at, batch] of batches.entries()) {
      await examination.add(batch);
      const ids = added[at];
      if (ids && examination.isUnjudged) examination.number(await ids);
    }
  }
  await adding;
  before?.release();
  if (signal.aborted) throw signal.reason;
  return tally;
}

async function stageOf(engine: LogStore, table: TableSpec): Promise<Staging> {
  try {
    return await engine.stage(table);
  } catch (cause) {
    throw cause instanceof TableGone ? Object.assign(notFound('table', table.name), { cause }) : cause;
  }
}

/** Maps errors of an import to ApiErrors; other errors are unexpected. */
function asApiError(cause: unknown, row: UploadStreamRow, damaged: ImportDeps['damaged']): unknown {
  if (cause instanceof PartCorrupted) return damaged(cause);
  const refusal = refusalOf(cause, row);
  return refusal ? Object.assign(refusal, { cause }) : cause;
}

function refusalOf(cause: unknown, { token, table_name }: UploadStreamRow): ApiError | undefined {
  if (cause instanceof WrongGzip) return wrongGzip(token);
  if (cause instanceof NoSpace || isOutOfSpace(cause)) return noSpaceLeft(table_name);
  return cause instanceof TableGone ? notFound('table', table_name) : undefined;
}
