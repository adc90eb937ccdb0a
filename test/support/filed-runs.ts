// Records as a thread that decodes lines hands them on: a run, and where the columns of its table are known a file.

import { KeptMatchers } from '#ingest/decode/runs/kept-matchers.ts';
import { LineScanner } from '#logs/lines/line-scanner.ts';
import type { LogRecord, LogStore, RecordRun, TableSpec } from '#logs/log-store.ts';
import { writeRunFile } from '#logs/parquet/run-file.ts';

const ROOM_BYTES = 2 ** 20;

export class FiledRuns {
  readonly #scanner = new LineScanner('UTC');
  readonly #matchers = new KeptMatchers();
  readonly #spec: TableSpec;
  /** Those that became a file with columns of leaves. */
  withLeaves = 0;

  constructor(spec: TableSpec) {
    this.#spec = spec;
  }

  /** Lines that no run can be made of are appended as records. */
  async append(engine: LogStore, records: readonly LogRecord[], written = (line: string) => line): Promise<void> {
    const known = await this.#known(engine);
    const run = await this.#runOf(engine, records.map(lineOf).map(written));
    await engine.append(this.#spec, run ? { parts: [run] } : records);
    const hasLearnt = async () => (await this.#known(engine)) !== known;
    // Shapes are stored in the background.
    for (let round = 0; round < 20 && !(await hasLearnt()); round += 1)
      await new Promise((done) => setTimeout(done, 1));
  }

  async #known(engine: LogStore): Promise<string | undefined> {
    return (await engine.fileColumns(this.#spec))?.leaves;
  }

  async #runOf(engine: LogStore, lines: readonly string[]): Promise<RecordRun | undefined> {
    const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
    const run = this.#scanner.run({ bytes, begin: 0, end: bytes.length, arrival: 0, maxLineBytes: 10_000 });
    const columns = await engine.fileColumns(this.#spec);
    if (!columns || run?.count !== lines.length) return undefined;
    const target = Buffer.from(new SharedArrayBuffer(ROOM_BYTES));
    const facts = writeRunFile(run, columns.numbersOf(run.fields), target, this.#matchers.for(columns.leaves));
    if (facts?.leaves) this.withLeaves += 1;
    return facts ? { ...run, file: { ...facts, bytes: target, columns } } : run;
  }
}

const lineOf = ({ text, time }: LogRecord): string => `{"_time":${time}${text === '{}' ? '' : ','}${text.slice(1)}`;
