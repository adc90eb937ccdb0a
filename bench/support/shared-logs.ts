// What the benches of log tables share within one run: a log, its bare copy, and the services filled with it. Each is made
// when the first bench asks for it, so that one bench alone makes no more than it needs.

import { type BareDuckdb, type Copied, openBareDuckdb } from './bare-duckdb.ts';
import type { Effort } from './bench.ts';
import { type ClickHouse, isClickHouse, type NoClickHouse, openClickHouse } from './clickhouse.ts';
import type { LogCorpus, MakeCorpus } from './log-corpus.ts';
import { fillTable, type LogFill, type Recipe } from './log-fill.ts';
import { type WorkFolder, workFolder } from './work-folder.ts';

/** The one that more than one bench looks at: the whole log. */
export const USUAL: Recipe = {
  layout: 'columnar',
  compression: 'snappy',
  recordsPerBatch: 10_000,
  clients: 8,
  share: 1,
};

export class SharedLogs implements Disposable {
  readonly #make: MakeCorpus;
  readonly #told: Pick<Effort, 'isQuick' | 'say'>;
  readonly #made = new DisposableStack();
  readonly #fills = new Map<string, Promise<LogFill>>();
  #folder: WorkFolder | undefined;
  #corpus: Promise<LogCorpus> | undefined;
  #duckdb: Promise<BareDuckdb> | undefined;
  #copied: Promise<Copied> | undefined;
  #clickHouse: Promise<ClickHouse | NoClickHouse> | undefined;

  constructor(make: MakeCorpus, told: Pick<Effort, 'isQuick' | 'say'>) {
    this.#make = make;
    this.#told = told;
  }

  corpus(): Promise<LogCorpus> {
    this.#corpus ??= this.#make(this.#at('log.ndjson'), this.#told);
    return this.#corpus;
  }

  duckdb(): Promise<BareDuckdb> {
    this.#duckdb ??= openBareDuckdb().then((duckdb) => this.#made.use(duckdb));
    return this.#duckdb;
  }

  /** The bare copy of the log, made at the first call. */
  copied(): Promise<Copied> {
    this.#copied ??= this.copyAgain();
    return this.#copied;
  }

  async copyAgain(): Promise<Copied> {
    this.#told.say('bare copy');
    return await (await this.duckdb()).copy(await this.corpus(), this.#at('bare.parquet'));
  }

  /** With an empty table; the reason where it cannot run. */
  clickHouse(): Promise<ClickHouse | NoClickHouse> {
    this.#clickHouse ??= openClickHouse(this.#at('clickhouse'), this.#told.say).then((found) => {
      if (isClickHouse(found)) this.#made.use(found);
      return found;
    });
    return this.#clickHouse;
  }

  filled(recipe: Recipe): Promise<LogFill> {
    const name = Object.values(recipe).join('-');
    const known = this.#fills.get(name);
    if (known) return known;
    const filling = this.#fill(name, recipe);
    this.#fills.set(name, filling);
    return filling;
  }

  [Symbol.dispose](): void {
    this.#made[Symbol.dispose]();
  }

  async #fill(name: string, recipe: Recipe): Promise<LogFill> {
    const corpus = await this.corpus();
    return await fillTable(recipe, {
      folder: this.#at(name),
      corpus,
      duckdb: await this.duckdb(),
      tell: (done) => this.#told.say(`${name}: ${done} of ${corpus.records} records`),
    });
  }

  #at(name: string): string {
    this.#folder ??= this.#made.use(workFolder());
    return this.#folder.at(name);
  }
}
