// Follows the files of one logger: scans them periodically and stores added lines. The offset in a file is stored together
// with the lines, so a crash neither loses nor repeats lines.

import type { FileHandle } from 'node:fs/promises';
import { BACK_OFF } from '#collectors/back-off.ts';
import type { Collector, CollectorDeps } from '#collectors/collector.ts';
import type { FileConfigs } from '#collectors/configs/configs.ts';
import type { BuiltLogs } from '#collectors/messages/log-builder.ts';
import { type Attempts, retry } from '#runtime/retry.ts';
import { parseCron } from '#scheduler/cron/cron.ts';
import { FileBatch } from './batch.ts';
import { Charset } from './charset.ts';
import type { FollowedFile } from './followed-file.ts';
import { tailBefore } from './head.ts';
import { KnownFiles } from './known-files.ts';
import { type FileLine, LineSource, type MarkedStep } from './lines.ts';
import { type ReadUpTo, updateFile, updateFiles } from './rows.ts';

/** Steps read from one file before other files are read. */
const MAX_STEPS_PER_FILE = 16;

export async function openFollower(configs: FileConfigs, deps: CollectorDeps): Promise<Collector> {
  const source = new LineSource(new Charset(configs.charset), deps.limits.lineBytes);
  const files = await KnownFiles.open(configs, deps, source);
  const follower = new Follower(deps, files, source);
  const running = follower.run();
  return {
    broken: running.then(() => Promise.withResolvers<never>().promise),
    async close() {
      follower.stop();
      await running.catch(() => undefined);
      await files.close();
    },
  };
}

class Follower {
  readonly #deps: CollectorDeps;
  readonly #files: KnownFiles;
  readonly #source: LineSource;
  readonly #stopping = new AbortController();
  /** Lines that are read and not stored yet. */
  #batch = new FileBatch();

  constructor(deps: CollectorDeps, files: KnownFiles, source: LineSource) {
    this.#deps = deps;
    this.#files = files;
    this.#source = source;
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** Retries after errors; resolves only after `stop`. */
  async run(): Promise<void> {
    const { clock, report, assignment } = this.#deps;
    const { signal } = this.#stopping;
    const scanning = (attempts: Attempts) => this.#scanUntilStopped(attempts);
    // A schedule delays the first scan to its first due time.
    if (assignment.cron_schedule !== null) await clock.sleep(this.#untilNextScan(), signal);
    // Rejects only when it is stopped after a failure, which is reported by then.
    await retry(scanning, { clock, delays: BACK_OFF, signal, failed: report }).catch(() => undefined);
  }

  async #scanUntilStopped({ startOver }: Attempts): Promise<void> {
    const { clock, report } = this.#deps;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const isDone = await this.#scan();
      report(undefined);
      startOver();
      if (isDone) await clock.sleep(this.#untilNextScan(), signal);
    }
  }

  #untilNextScan(): Temporal.Duration {
    const { assignment, clock, zone } = this.#deps;
    const now = clock.now();
    const next = assignment.cron_schedule === null ? undefined : parseCron(assignment.cron_schedule)?.next(now, zone);
    const milliseconds = next ? next.epochMilliseconds - now.epochMilliseconds : assignment.interval;
    return Temporal.Duration.from({ milliseconds });
  }

  /** Resolves to whether all files were read to their end. */
  async #scan(): Promise<boolean> {
    this.#batch = new FileBatch();
    const files = await this.#files.scan();
    const unread = new Set<string>();
    for (const file of files) {
      if (this.#stopping.signal.aborted) return true;
      // A rotated file is read before its successor.
      if (unread.has(file.path)) continue;
      if (!(await this.#read(file))) unread.add(file.path);
    }
    await this.#store();
    await this.#files.cleanUp();
    return unread.size === 0;
  }

  /** Resolves to whether the file has been read to its end. */
  async #read(file: FollowedFile): Promise<boolean> {
    for (let steps = 0; steps < MAX_STEPS_PER_FILE && !this.#stopping.signal.aborted; steps += 1) {
      const isKept = file.position < file.storedUpTo;
      // Most files are unchanged and need not be opened.
      if (!isKept && this.#batch.endOf(file) >= file.sizeBytes) return true;
      const step = await this.#files.with(file, (handle) => this.#step(file, handle, isKept));
      if (!step) return true;
      if (isKept) await this.#examine(file, step);
      else this.#batch.add(file, step);
      if (this.#batch.isFull) await this.#store();
    }
    return false;
  }

  /** Undefined when no complete line is left. */
  async #step(file: FollowedFile, handle: FileHandle, isKept: boolean): Promise<MarkedStep | undefined> {
    const until = isKept ? file.storedUpTo : file.sizeBytes;
    // A line without line end is incomplete, unless the file was renamed and no longer grows.
    const takesRest = isKept || (file.isRenamed && file.previousSizeBytes === file.sizeBytes);
    const position = this.#batch.endOf(file);
    const step = await this.#source.read(handle, { position, until, searched: file.searchedUpTo, takesRest });
    if (!step) {
      file.searchedUpTo = until;
      return undefined;
    }
    const tail = await tailBefore(handle, step.end);
    // Truncated while it was read: the next scan handles it.
    return (await file.isIn(handle, step.end)) ? { ...step, tail } : undefined;
  }

  /** Examines stored lines whose matches were not recorded before a crash. */
  async #examine(file: FollowedFile, { lines, end, tail }: MarkedStep): Promise<void> {
    const { intake, destination } = this.#deps;
    const { logs } = await this.#logsOf(lines);
    await intake.examine(destination, logs, (db) => updateFile(db, { file, end, tail }));
    file.markRead({ end, tail });
  }

  async #store(): Promise<void> {
    const { intake, destination, counters, assignment } = this.#deps;
    const batch = this.#batch;
    if (batch.ends.length === 0) return;
    this.#batch = new FileBatch();
    const { logs, malformed } = await this.#logsOf(batch.lines);
    await this.#saveHeads(batch.ends);
    const offsets = batch.ends.map(({ file, end }) => ({ source: file.source, position: end }));
    // Blank lines count as one byte, their line end.
    const volume = batch.bytes - (batch.lines.length - logs.length);
    const counts = { logs: logs.length, volume, drops: 0, dropVolume: 0 };
    // Before what was found in them is on record: after a crash they are examined again, and not counted again.
    const stored = () => counters.add(assignment.guid, counts);
    await intake.take(destination, logs, { offsets, alongside: (db) => updateFiles(db, batch.ends), stored });
    counters.malformed(assignment.guid, malformed);
    for (const read of batch.ends) read.file.markRead(read);
  }

  async #logsOf(lines: readonly FileLine[]): Promise<BuiltLogs> {
    const at = this.#deps.clock.now().epochMilliseconds;
    return await this.#deps.logBuilder.build(lines.map((line) => ({ ...line, at })));
  }

  /** Saves heads before lines are stored: after a crash an offset is useless for a file that cannot be identified. */
  async #saveHeads(ends: readonly ReadUpTo[]): Promise<void> {
    const files = ends.map(({ file }) => file).filter(({ head, savedHead }) => head !== savedHead);
    if (files.length === 0) return;
    await this.#deps.store.write((db) =>
      updateFiles(
        db,
        files.map((file) => file.stored),
      ),
    );
    for (const file of files) file.savedHead = file.head;
  }
}
