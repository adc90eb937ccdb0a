// The import of a whole upload: decoded block by block into a staging, and made part of the table in the transaction that
// writes down what became of it. A crash or a cancellation before that leaves nothing.

import { type ApiError, noSpaceLeft, notFound, noUploadStream, wrongGzip } from '#contract/errors.ts';
import { type LogEngine, NoSpace, type Staging, TableGone, type TableSpec } from '#engines/engine.ts';
import type { UnitEntry } from '#http/endpoint.ts';
import type { Examination, Watcher } from '#ingest/intake.ts';
import { type Block, decodeUpload, WrongGzip } from '#ingest/upload-decode.ts';
import type { Clock } from '#kernel/clock.ts';
import { isOutOfSpace } from '#store/no-space.ts';
import type { UploadStreamRow } from '#store/schema.ts';
import { PartCorrupted } from '#vault/part-cipher.ts';
import { isGzip, type Outcome } from './model.ts';
import { completeStream } from './store.ts';
import type { UploadLimits } from './upload-parts.ts';

export interface ImportParts {
  readonly engine: LogEngine;
  readonly clock: Clock;
  /** What was uploaded. */
  readonly bytes: AsyncIterable<Buffer>;
  readonly limits: Pick<UploadLimits, 'lineBytes' | 'reported'>;
  /** In which times without an offset are read. */
  readonly zone: string;
  /** Looks at what is imported; what it finds is raised with the import. */
  readonly watcher: Watcher;
  /** Of the call that asks for the import, where one does. */
  readonly entry: UnitEntry | undefined;
  /** Makes the answer for a part that is not what was written. */
  damaged(cause: PartCorrupted): ApiError;
}

export type ImportedTable = TableSpec & { readonly schema_code: string | null };

/** Ends with the signal's reason when that is aborted. */
export async function importUpload(
  row: UploadStreamRow,
  table: ImportedTable,
  parts: ImportParts & { readonly signal: AbortSignal },
): Promise<Outcome> {
  const { engine, clock, bytes, limits, zone, damaged, signal, watcher, entry } = parts;
  const { token, format } = row;
  const arrival = { at: clock.now().epochMilliseconds, zone };
  const blocks = decodeUpload(bytes, { format, isGzipped: isGzip(row), lineLimitBytes: limits.lineBytes, arrival });
  const examination = watcher.examine({ table, schemaCode: table.schema_code, origin: undefined });
  const staging = await stageOf(engine, table);
  try {
    const outcome = await stageAll(blocks, staging, { signal, reported: limits.reported, examination });
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
    return outcome;
  } catch (cause) {
    await staging.discard();
    // What is cancelled loses its part, which is then no damage.
    throw signal.aborted ? signal.reason : worded(cause, row, damaged);
  }
}

async function stageAll(
  blocks: AsyncIterable<Block>,
  staging: Staging,
  { signal, reported, examination }: { signal: AbortSignal; reported: number; examination: Examination },
): Promise<Outcome> {
  const tally = { accepted: 0, rejected: [] as Outcome['rejected'][number][], rejected_count: 0 };
  // The next block is decoded while the engine works on the one before.
  let adding: Promise<unknown> = Promise.resolve();
  for await (const { batches, accepted, rejected } of blocks) {
    await adding;
    if (signal.aborted) throw signal.reason;
    const added = batches.map((batch) => staging.add(batch));
    adding = Promise.all(added);
    // Met at the next turn; until then nobody listens.
    adding.catch(() => undefined);
    tally.accepted += accepted;
    tally.rejected_count += rejected.length;
    tally.rejected.push(...rejected.slice(0, reported - tally.rejected.length));
    for (const [at, batch] of batches.entries()) {
      await examination.add(batch);
      const ids = added[at];
      if (ids && examination.isUnjudged) examination.number(await ids);
    }
  }
  await adding;
  if (signal.aborted) throw signal.reason;
  return tally;
}

async function stageOf(engine: LogEngine, table: TableSpec): Promise<Staging> {
  try {
    return await engine.stage(table);
  } catch (cause) {
    throw cause instanceof TableGone ? Object.assign(notFound('table', table.name), { cause }) : cause;
  }
}

/** What may go wrong with an import, in the interface's words; anything else is a defect. */
function worded(cause: unknown, row: UploadStreamRow, damaged: ImportParts['damaged']): unknown {
  if (cause instanceof PartCorrupted) return damaged(cause);
  const refusal = refusalOf(cause, row);
  return refusal ? Object.assign(refusal, { cause }) : cause;
}

function refusalOf(cause: unknown, { token, table_name }: UploadStreamRow): ApiError | undefined {
  if (cause instanceof WrongGzip) return wrongGzip(token);
  if (cause instanceof NoSpace || isOutOfSpace(cause)) return noSpaceLeft(table_name);
  return cause instanceof TableGone ? notFound('table', table_name) : undefined;
}
