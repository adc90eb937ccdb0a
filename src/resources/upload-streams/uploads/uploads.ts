// The uploads in progress: receives, imports and removes them. The state of a stream is in its row; only locks are in memory.

import type { Readable } from 'node:stream';
import {
  ApiError,
  bodyTooLarge,
  noSpaceLeft,
  notFound,
  noUploadStream,
  tableClosed,
  uploadNotCompleted,
  wrongOffset,
} from '#contract/errors.ts';
import { PartFolder, type PartOffset, partName } from '#ingest/uploads/part-file.ts';
import { isGuid } from '#kernel/guid.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { CorruptionReports, type FoundCorruption } from '#logs/corruption.ts';
import { type LogStore, NoSpace } from '#logs/log-store.ts';
import type { UnitEntry } from '#operations/endpoint.ts';
import type { StoredLookups } from '#queries/lookups/stored-lookups.ts';
import {
  isFullyUploaded,
  keyOf,
  type LoadedRows,
  markOf,
  type Outcome,
  outcomeOf,
  REFUSED_GZIP,
} from '#resources/upload-streams/model.ts';
import { Periodic } from '#runtime/periodic.ts';
import { Serial } from '#runtime/serial.ts';
import type { Db } from '#store/kysely.ts';
import type { UploadStreamRow } from '#store/schema/schema.ts';
import type { Store } from '#store/store.ts';
import { PartCorrupted } from '#vault/part-cipher.ts';
import type { ProfileKey } from '#vault/profile-key.ts';
import type { Vault } from '#vault/vault.ts';
import { type ImportDeps, importUpload } from './import.ts';
import { importRows } from './import-rows.ts';
import { claimLeftStreams } from './left-streams.ts';
import { receive } from './receive.ts';
import { requireRight } from './rights.ts';
import {
  completeStream,
  expiredTokens,
  findProtection,
  findStream,
  findTable,
  knownTokens,
  markStream,
  removeStream,
  removeStreams,
  unfinishedStreams,
} from './store.ts';
import { type StreamLock, StreamLocks } from './stream-locks.ts';

export interface UploadLimits {
  /** Maximum size of an upload. */
  readonly bytes: number;
  /** Maximum of open streams. */
  readonly streams: number;
  readonly streamsPerAccount: number;
  readonly lineBytes: number;
  /** Maximum of rejected lines in the outcome. */
  readonly reported: number;
  readonly idle: Temporal.Duration;
}

export interface UploadsDeps extends Pick<ImportDeps, 'watcher' | 'lineDecoder' | 'repaired'> {
  readonly store: Store;
  readonly engine: LogStore;
  readonly vault: Vault;
  readonly storedLookups: StoredLookups;
  readonly clock: Clock;
  /** Name of this node. */
  readonly node: string;
  /** Other nodes that live. */
  living(db: Db): Promise<readonly { readonly name: string }[]>;
  /** Folder of the parts. */
  readonly folder: string;
  readonly limits: UploadLimits;
  readonly zone: string;
  /** Called once for every corrupted part. */
  damaged(found: FoundCorruption): void;
  /** Called for errors of background work. */
  failed(error: unknown): void;
}

/** A token and the address of the request. */
export interface StreamClaim {
  readonly token: string;
  readonly remoteIp: string;
}

export interface AppendRequest extends StreamClaim {
  readonly offset: number;
  /** Undefined for a request without a body. */
  readonly stream: Readable | undefined;
  /** Value of `Content-Length`, if present. */
  readonly length: number | undefined;
  /** Called once the claim has proven valid. */
  onFound(row: UploadStreamRow): void;
}

const SWEEP_PERIOD = Temporal.Duration.from({ minutes: 1 });

export async function openUploads(deps: UploadsDeps): Promise<Uploads> {
  const uploads = new Uploads(deps, await PartFolder.open(deps.folder));
  await uploads.recover();
  return uploads;
}

export class Uploads {
  readonly limits: UploadLimits;
  readonly #deps: UploadsDeps;
  readonly #folder: PartFolder;
  readonly #damages: CorruptionReports;
  readonly #locks: StreamLocks;
  readonly #sweeping: Disposable;
  readonly #completing = new Map<string, Promise<Outcome | LoadedRows>>();
  readonly #background = new Serial();

  constructor(deps: UploadsDeps, folder: PartFolder) {
    this.limits = deps.limits;
    this.#deps = deps;
    this.#folder = folder;
    this.#damages = new CorruptionReports((found) => deps.damaged(withoutTokens(found)));
    this.#locks = new StreamLocks(deps.clock);
    this.#sweeping = new Periodic({
      clock: deps.clock,
      period: SWEEP_PERIOD,
      work: () => this.#inBackground(() => this.#removeExpired()),
    });
  }

  /** Name of the node that holds the bytes of new streams. */
  get node(): string {
    return this.#deps.node;
  }

  /** Removes parts without a stream, and resumes imports interrupted by a crash. */
  async recover(): Promise<void> {
    const tokens = await this.#folder.tokens();
    if (tokens.length === 0) return;
    await claimLeftStreams(this.#deps, this.#folder, tokens);
    const streams = new Map((await this.#deps.store.read(unfinishedStreams)).map((row) => [row.token, row]));
    for (const token of tokens) {
      const row = streams.get(token);
      if (!row) await this.#folder.remove(token);
      else if (row.node === this.node) this.#resume(row);
    }
  }

  /** The earliest activity that keeps a stream from expiring. */
  get since(): number {
    return this.#deps.clock.now().subtract(this.limits.idle).epochMilliseconds;
  }

  /** The stream in progress of a token; undefined when it was removed or opened from another address. */
  async find(db: Db, claim: StreamClaim): Promise<UploadStreamRow | undefined> {
    const row = await this.claimed(db, claim);
    return row?.outcome === null ? row : undefined;
  }

  /**
   * The stream with all bytes received by now. An imported one has its full offset as long as it is remembered, so that a client
   * that lost the last answer does not send the file again.
   */
  async probe(claim: StreamClaim): Promise<UploadStreamRow | undefined> {
    if (!(await this.#remembered(claim))) return undefined;
    await this.#locks.syncHolder(keyOf(claim.token));
    return await this.#remembered(claim);
  }

  /** Resolves to the stream with all bytes durable, and imported if it is complete and set to import itself. */
  async append(request: AppendRequest): Promise<UploadStreamRow> {
    const { token, stream } = request;
    // A request without a valid claim must not wait for the lock.
    request.onFound(await this.#requireStream({ ...request, offset: undefined }));
    try {
      const row = await this.#locks.withLock(keyOf(token), async (lock) => {
        const found = await this.#requireStream(request);
        await this.#deps.store.read((db) => requireRight(db, found));
        if (stream) await this.#receive(found, stream, lock);
        else await this.#mark(found, markOf(found));
        return await this.#requireStream({ ...request, offset: undefined });
      });
      if (row.completes_itself === 1 && isFullyUploaded(row)) await this.#completeOnce(row);
      return row;
    } catch (error) {
      const isGone = error instanceof ApiError && error.kind === 'noUploadStream';
      throw isGone ? noUploadStream(token, 404) : error;
    }
  }

  /** As `find`, completed or not. */
  async claimed(db: Db, { token, remoteIp }: StreamClaim): Promise<UploadStreamRow | undefined> {
    if (!isGuid(token)) return undefined;
    const row = await findStream(db, keyOf(token), this.since);
    return row?.remote_addr === remoteIp ? row : undefined;
  }

  /**
   * Imports the stream, with `entry` in the unit of the import. A finished or running import gives the same response, without
   * `entry`. `token` is spelled as in the request.
   */
  async complete(row: UploadStreamRow, token: string, entry?: UnitEntry): Promise<Outcome | LoadedRows> {
    if (row.outcome !== null) return outcomeOf(row, token);
    if (!isFullyUploaded(row)) throw uploadNotCompleted(token);
    return await this.#completeOnce(row, entry);
  }

  /** Removes the bytes of a removed stream and aborts work on them. */
  async discard(token: string): Promise<void> {
    // Aborted first, so that the work ends with this reason rather than with missing bytes.
    const ended = this.#locks.end(token, noUploadStream(token));
    await this.#folder.remove(token);
    await ended;
    // The aborted work may have created the part again.
    await this.#folder.remove(token);
  }

  async close(): Promise<void> {
    this.#sweeping[Symbol.dispose]();
    await this.#locks.close();
    await this.#background.ended();
    await Promise.allSettled(this.#completing.values());
  }

  /** A refused upload is gone: its full offset would pass for success. */
  async #remembered(claim: StreamClaim): Promise<UploadStreamRow | undefined> {
    const row = await this.#deps.store.read((db) => this.claimed(db, claim));
    return row?.outcome === REFUSED_GZIP ? undefined : row;
  }

  /** The stream; refuses a wrong offset or length. */
  async #requireStream({
    offset,
    length = 0,
    ...claim
  }: StreamClaim & { offset: number | undefined; length?: number | undefined }) {
    const row = await this.#deps.store.read((db) => this.find(db, claim));
    if (!row) throw noUploadStream(claim.token, 404);
    if (offset !== undefined && offset !== row.uploaded_size) throw wrongOffset(row.uploaded_size);
    const most = row.file_size - row.uploaded_size;
    if (offset !== undefined && length > most) throw bodyTooLarge(most);
    return row;
  }

  async #receive(row: UploadStreamRow, stream: Readable, lock: StreamLock): Promise<void> {
    const key = await this.#keyFor(row);
    try {
      await using writer = await this.#folder.append(row.token, markOf(row), key);
      const maxBytes = row.file_size - row.uploaded_size;
      await receive(stream, writer, { lock, from: markOf(row), maxBytes, mark: (mark) => this.#mark(row, mark) });
    } catch (cause) {
      throw lock.signal.aborted ? lock.signal.reason : this.#asApiError(cause, row);
    }
  }

  /** Undefined for a table without crypto profile. Refuses a removed table. */
  async #keyFor({ table_id, table_name, lookup_guid }: UploadStreamRow): Promise<ProfileKey | undefined> {
    const { store, vault } = this.#deps;
    if (lookup_guid !== null) return undefined;
    const table = await store.read((db) => findProtection(db, table_id));
    if (!table) throw notFound('table', table_name);
    // Also for profiles that only authenticate: encryption detects changes, too.
    if (table.crypto_profile_guid === null) return undefined;
    return await vault.keyOf(table.crypto_profile_guid).catch((cause) => {
      throw Object.assign(tableClosed(table_name), { cause });
    });
  }

  async #mark({ token }: UploadStreamRow, mark: PartOffset): Promise<void> {
    const { store, clock, node } = this.#deps;
    const at = { now: clock.now().epochMilliseconds, node };
    if (!(await store.inTime(store.write((db) => markStream(db, token, mark, at))))) throw noUploadStream(token, 404);
  }

  /** Concurrent requests share one import. */
  #completeOnce({ token }: UploadStreamRow, entry?: UnitEntry): Promise<Outcome | LoadedRows> {
    const running = this.#completing.get(token);
    if (running) return running;
    const completing = this.#locks
      .withLock(token, (lock) => this.#complete(token, lock, entry))
      .finally(() => this.#completing.delete(token));
    this.#completing.set(token, completing);
    return completing;
  }

  async #complete(token: string, { signal }: StreamLock, entry?: UnitEntry): Promise<Outcome | LoadedRows> {
    const { store, engine, clock, zone, watcher, lineDecoder, repaired } = this.#deps;
    const row = await store.read((db) => findStream(db, token, 0));
    if (!row) throw noUploadStream(token);
    if (row.outcome !== null) return outcomeOf(row, token);
    await store.read((db) => requireRight(db, row));
    if (row.lookup_guid !== null) return await this.#completeRows(row, signal, entry);
    const table = await store.read((db) => findTable(db, row.table_id));
    if (!table) throw notFound('table', row.table_name);
    const bytes = this.#folder.read(token, markOf(row), await this.#keyFor(row));
    const damaged = (cause: PartCorrupted) => this.#reportDamage(row, cause);
    const how = {
      engine,
      clock,
      bytes,
      limits: this.limits,
      zone,
      damaged,
      signal,
      watcher,
      lineDecoder,
      repaired,
      entry,
    };
    const outcome = await importUpload(row, table, how).catch(async (cause) => {
      if (signal.aborted) throw signal.reason;
      if (cause instanceof ApiError && cause.kind === 'wrongGzip') await this.#refuseForGood(token);
      // A table that is dropped meanwhile takes its folder along, which fails the import.
      if (await store.read((db) => findTable(db, row.table_id))) throw cause;
      throw Object.assign(notFound('table', row.table_name), { cause });
    });
    await this.#folder.remove(token);
    return outcome;
  }

  /** What can never be imported holds no place among the uploads of its account; a repeated completion answers the same. */
  async #refuseForGood(token: string): Promise<void> {
    const { store, clock } = this.#deps;
    await store.write((db) => completeStream(db, token, REFUSED_GZIP, clock.now().epochMilliseconds));
    await this.#folder.remove(token);
  }

  /** All rows or none: after a wrong row the stream is gone. */
  async #completeRows(row: UploadStreamRow, signal: AbortSignal, entry?: UnitEntry): Promise<LoadedRows> {
    const bytes = this.#folder.read(row.token, markOf(row), undefined);
    try {
      const outcome = await importRows(row, bytes, { ...this.#deps, signal, entry });
      await this.#folder.remove(row.token);
      return outcome;
    } catch (cause) {
      if (signal.aborted) throw signal.reason;
      if (cause instanceof ApiError) {
        await this.#deps.store.write((db) => removeStream(db, row.token));
        await this.#folder.remove(row.token);
      }
      throw cause;
    }
  }

  /** Locked streams are skipped. */
  async #removeExpired(): Promise<void> {
    const { store, node } = this.#deps;
    const expired = await store.read((db) => expiredTokens(db, { since: this.since, idle: this.limits.idle, node }));
    const idle = expired.filter((token) => !this.#locks.has(token));
    if (idle.length > 0) await store.write((db) => removeStreams(db, idle));
    // Read before the rows: a stream has its row before it has bytes.
    const tokens = await this.#folder.tokens();
    if (tokens.length === 0) return;
    const known = await store.read((db) => knownTokens(db, tokens));
    // Another node has removed their streams, or they were removed while this node did not answer.
    for (const token of tokens) if (!known.has(token)) await this.discard(token);
    // A node that counted as alive at the start may be gone by now.
    for (const row of await claimLeftStreams(this.#deps, this.#folder, tokens)) this.#resume(row);
  }

  /** Imports a stream that waits for nothing else. */
  #resume(row: UploadStreamRow): void {
    if (row.completes_itself === 1 && isFullyUploaded(row)) this.#inBackground(() => this.#completeOnce(row));
  }

  /** Maps errors of a part to ApiErrors. */
  #asApiError(cause: unknown, row: UploadStreamRow): unknown {
    if (cause instanceof NoSpace) return Object.assign(noSpaceLeft(row.table_name), { cause });
    return cause instanceof PartCorrupted ? this.#reportDamage(row, cause) : cause;
  }

  #reportDamage({ token, table_name: table }: UploadStreamRow, cause: PartCorrupted): ApiError {
    return this.#damages.refusal({ table, folder: this.#deps.folder, file: partName(token), cause });
  }

  #inBackground(work: () => Promise<unknown>): Promise<unknown> {
    return this.#background.run(work).catch((error) => {
      // ApiErrors are answers to requests; background work has none.
      if (!(error instanceof ApiError)) this.#deps.failed(error);
    });
  }
}

/** Shortens tokens for the log: a token grants access. */
function withoutTokens({ table, path, cause }: FoundCorruption): FoundCorruption {
  const shortened = (text: string) => text.replaceAll(/([0-9a-f]{8})-[0-9a-f-]{27}/gi, '$1…');
  const reason = cause instanceof Error ? new Error(shortened(cause.message)) : undefined;
  return { table, path: shortened(path), cause: reason };
}
