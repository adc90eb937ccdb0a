// Follows the files of one logger: looks at them every so often and keeps the lines that were added. Where it stands in a
// file is kept with the lines themselves, so a crash neither loses nor repeats any.

import type { FileHandle } from 'node:fs/promises';
import { backOff } from '#collectors/back-off.ts';
import type { Collector, CollectorParts } from '#collectors/collector.ts';
import type { FileConfigs } from '#collectors/configs.ts';
import { parseCron } from '#scheduler/cron.ts';
import type { Db } from '#store/kysely.ts';
import { Charset } from './charset.ts';
import type { Followed } from './followed.ts';
import { KnownFiles } from './known-files.ts';
import { type FileLine, LineSource, type Step } from './lines.ts';
import { updateFile } from './rows.ts';

/** How much of one file is read before the others get their turn. */
const STEPS_IN_TURN = 16;

export async function openFollower(configs: FileConfigs, parts: CollectorParts): Promise<Collector> {
  const source = new LineSource(new Charset(configs.charset), parts.limits.lineBytes);
  const files = await KnownFiles.open(configs, parts, source);
  const follower = new Follower(parts, files, source);
  const running = follower.run();
  return {
    broken: running.then(() => new Promise<never>(() => undefined)),
    async close() {
      follower.stop();
      await running.catch(() => undefined);
      await files.close();
    },
  };
}

class Follower {
  readonly #parts: CollectorParts;
  readonly #files: KnownFiles;
  readonly #source: LineSource;
  readonly #stopping = new AbortController();

  constructor(parts: CollectorParts, files: KnownFiles, source: LineSource) {
    this.#parts = parts;
    this.#files = files;
    this.#source = source;
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** What fails is tried again, so this ends only when it is told to. */
  async run(): Promise<void> {
    const { clock, report, assignment } = this.#parts;
    const { signal } = this.#stopping;
    // At the moments of a schedule, and not before the first of them.
    if (assignment.cron_schedule !== null) await clock.sleep(this.#rest(), signal);
    for (let tries = 0; !signal.aborted; ) {
      try {
        const isDone = await this.#look();
        report(undefined);
        tries = 0;
        if (isDone) await clock.sleep(this.#rest(), signal);
      } catch (error) {
        report(error);
        await clock.sleep(backOff(tries), signal);
        tries += 1;
      }
    }
  }

  #rest(): Temporal.Duration {
    const { assignment, clock, zone } = this.#parts;
    const now = clock.now();
    const next = assignment.cron_schedule === null ? undefined : parseCron(assignment.cron_schedule)?.next(now, zone);
    const milliseconds = next ? next.epochMilliseconds - now.epochMilliseconds : assignment.interval;
    return Temporal.Duration.from({ milliseconds });
  }

  /** Resolves to whether everything there was has been read. */
  async #look(): Promise<boolean> {
    const files = await this.#files.look();
    const unread = new Set<string>();
    for (const file of files) {
      if (this.#stopping.signal.aborted) return true;
      // What was rotated away comes before what is written in its place.
      if (unread.has(file.path)) continue;
      if (!(await this.#read(file))) unread.add(file.path);
    }
    await this.#files.tidy();
    return unread.size === 0;
  }

  /** Resolves to whether the file has been read to its end. */
  async #read(file: Followed): Promise<boolean> {
    for (let steps = 0; steps < STEPS_IN_TURN && !this.#stopping.signal.aborted; steps += 1) {
      const isExamined = file.position < file.keptUpTo;
      const step = await this.#files.with(file, (handle) => this.#step(file, handle, isExamined));
      if (!step) return true;
      await this.#keep(file, step, isExamined);
    }
    return false;
  }

  /** Undefined when there is nothing more to be read for now. */
  async #step(file: Followed, handle: FileHandle, isExamined: boolean): Promise<Step | undefined> {
    const until = isExamined ? file.keptUpTo : file.sizeBytes;
    // What has no line end yet waits for it, unless the file was left: then nothing is added to it any more.
    const takesRest = isExamined || (file.isAway && file.formerBytes === file.sizeBytes);
    const { position, searched } = file;
    const step = await this.#source.read(handle, { position, until, searched, takesRest });
    if (!step) file.searched = until;
    // Emptied while it was read: the next look finds that out.
    return step && (await file.isIn(handle, step.end)) ? step : undefined;
  }

  async #keep(file: Followed, { lines, end }: Step, isExamined: boolean): Promise<void> {
    const { maker, clock, intake, destination, counters, assignment } = this.#parts;
    const at = clock.now().epochMilliseconds;
    const filled = lines.filter(({ text }) => text.trim() !== '');
    const { logs, malformed } = await maker.make(filled.map((line) => ({ ...line, at })));
    await this.#saveHead(file);
    const alongside = (db: Db) => updateFile(db, file, end);
    if (isExamined) {
      await intake.examine(destination, logs, alongside);
    } else {
      await intake.take(destination, logs, { mark: { source: file.source, position: end }, alongside });
      const volume = end - file.position - blanksIn(lines, filled);
      counters.add(assignment.guid, { logs: logs.length, volume, drops: 0, dropVolume: 0 });
      counters.malformed(assignment.guid, malformed);
    }
    file.position = end;
  }

  /** Before lines of it are kept: after a crash their mark says nothing about a file that cannot be told from another. */
  async #saveHead(file: Followed): Promise<void> {
    const { head } = file;
    if (file.savedHead === head) return;
    await this.#parts.store.write((db) => updateFile(db, file, file.position));
    file.savedHead = head;
  }
}

/** Of the lines that are no logs only their ends were there. */
const blanksIn = (lines: readonly FileLine[], filled: readonly FileLine[]): number => lines.length - filled.length;
