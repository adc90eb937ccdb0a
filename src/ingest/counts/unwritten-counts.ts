// Counts of loggers that are not in the metadata store yet, in numbered files of the data folder. A count is handed to the operating
// system before its logs are acknowledged, so a killed process does not lose it. The unit that adds counts to their loggers
// also stores the number of the last file that has them: after a crash, files up to that number are not counted again.

import { closeSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolderSync } from '#files/durable.ts';
import { identifyFolder } from '#files/folder-identity.ts';
import type { Db } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';
import { type Counts, sum } from './counts.ts';

interface UnwrittenCountsDeps {
  readonly store: Store;
  readonly dataFolder: string;
  /** Called when a file cannot be written; until the next one, counts are in memory only. */
  failed(error: unknown): void;
}

interface CountedLogs {
  readonly guid: string;
  readonly counts: Counts;
  /** Epoch milliseconds. */
  readonly atMs: number;
}

/** Counts of a logger that an earlier process has left. */
export interface LeftCounts {
  readonly counts: Counts;
  /** Epoch milliseconds; undefined if no log was stored. */
  readonly lastLogMs: number | undefined;
}

/** GUID of the logger, logs, their volume, drops, their volume, and the time. A line that a crash has cut does not end like this. */
const LINE = /^(\S+) (\d+) (\d+) (\d+) (\d+) (\d+);$/;

export class UnwrittenCounts {
  /** By the GUID of the logger: what an earlier process has counted and not written. */
  readonly left: ReadonlyMap<string, LeftCounts>;
  readonly #deps: UnwrittenCountsDeps;
  readonly #folder: string;
  /** Of the data folder: services that share a database have folders of their own. */
  readonly #folderGuid: string;
  /** Of the current file, or of the next one if there is none. */
  #number: number;
  #file: number | undefined;
  #hasFailed = false;

  private constructor(deps: UnwrittenCountsDeps, found: Found) {
    this.#deps = deps;
    this.#folder = countsFolder(deps.dataFolder);
    this.#folderGuid = found.folderGuid;
    this.#number = found.nextNumber;
    this.left = found.left;
  }

  /** Reads what an earlier process has left; the files stay until it is written. */
  static async open(deps: UnwrittenCountsDeps): Promise<UnwrittenCounts> {
    const folder = countsFolder(deps.dataFolder);
    const folderGuid = identifyFolder(deps.dataFolder).guid;
    const written = await writtenNumber(deps.store, folderGuid);
    removeFiles(folder, written);
    const numbers = filesIn(folder);
    const nextNumber = Math.max(written, ...numbers) + 1;
    return new UnwrittenCounts(deps, { folderGuid, nextNumber, left: await leftIn(folder, numbers) });
  }

  /** Does not wait for the disk: a power failure may lose the counts since the last write to the metadata store. */
  add({ guid, counts: { logs, volume, drops, dropVolume }, atMs }: CountedLogs): void {
    if (this.#hasFailed || (logs === 0 && drops === 0)) return;
    const line = `${guid} ${logs} ${volume} ${drops} ${dropVolume} ${atMs};\n`;
    try {
      this.#file ??= this.#openFile();
      if (writeSync(this.#file, line) < line.length) throw new Error('a count of logs was written in part');
    } catch (error) {
      // What was counted is still in memory, and the next write to the metadata store begins a new file.
      this.#hasFailed = true;
      this.#deps.failed(error);
    }
  }

  /** Ends the current file. Returns the number of the last file that has what was added until now. */
  endFile(): number {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    this.#hasFailed = false;
    this.#number += 1;
    return this.#number - 1;
  }

  /** Part of the unit that adds the counts to their loggers. */
  async setWritten(db: Db, number: number): Promise<void> {
    await db
      .insertInto('written_counts')
      .values({ folder: this.#folderGuid, number })
      .onConflict((conflict) => conflict.column('folder').doUpdateSet({ number }))
      .execute();
  }

  /** Removes the files up to this number, once that unit is durable. */
  remove(number: number): void {
    removeFiles(this.#folder, number);
  }

  #openFile(): number {
    makeFolderSync(this.#folder);
    return openSync(pathOf(this.#folder, this.#number), 'a', 0o600);
  }
}

interface Found {
  readonly folderGuid: string;
  readonly nextNumber: number;
  readonly left: ReadonlyMap<string, LeftCounts>;
}

const countsFolder = (dataFolder: string): string => join(dataFolder, 'counts');

const pathOf = (folder: string, number: number): string => join(folder, `${String(number).padStart(6, '0')}.counts`);

async function writtenNumber(store: Store, folder: string): Promise<number> {
  const row = await store.read((db) =>
    db.selectFrom('written_counts').select('number').where('folder', '=', folder).executeTakeFirst(),
  );
  return row?.number ?? 0;
}

/** Their numbers, in any order. */
function filesIn(folder: string): number[] {
  const names = namesIn(folder).map((name) => /^(\d+)\.counts$/.exec(name)?.[1]);
  return names.filter((digits) => digits !== undefined).map(Number);
}

/** None before the first count. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

function removeFiles(folder: string, upTo: number): void {
  for (const number of filesIn(folder)) if (number <= upTo) rmSync(pathOf(folder, number), { force: true });
}

async function leftIn(folder: string, numbers: readonly number[]): Promise<Map<string, LeftCounts>> {
  const left = new Map<string, LeftCounts>();
  for (const number of numbers) {
    await using file = await open(pathOf(folder, number));
    for await (const line of file.readLines()) {
      const [, guid = '', ...numbersOfLine] = LINE.exec(line) ?? [];
      if (guid === '') continue;
      const [logs = 0, volume = 0, drops = 0, dropVolume = 0, atMs = 0] = numbersOfLine.map(Number);
      const counts = { logs, volume, drops, dropVolume };
      left.set(guid, withCounts(left.get(guid), { guid, counts, atMs }));
    }
  }
  return left;
}

function withCounts(before: LeftCounts | undefined, { counts, atMs }: CountedLogs): LeftCounts {
  const lastLogMs = counts.logs > 0 ? Math.max(atMs, before?.lastLogMs ?? 0) : before?.lastLogMs;
  return { counts: before ? sum(before.counts, counts) : counts, lastLogMs };
}
