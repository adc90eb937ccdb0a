// Records as a thread that decodes lines hands them on: a batch, and where the columns of its table are known a file.

import { KeptMatchers } from '#ingest/decode/batches/kept-matchers.ts';
import { LineScanner } from '#logs/lines/line-scanner.ts';
import type { LineBatch, LogRecord, LogStore, TableSpec } from '#logs/log-store.ts';
import { writeBatchFile } from '#logs/parquet/batch-file.ts';

const ROOM_BYTES = 2 ** 20;
/** Of a millisecond each, for a catalog that is written meanwhile. */
const LEARNING_ROUNDS = 200;

export class FiledBatches {
  readonly #scanner = new LineScanner('UTC');
  readonly #matchers = new KeptMatchers();
  readonly #spec: TableSpec;
  /** Those that became a file, and among them those with columns of leaves. */
  files = 0;
  withLeaves = 0;

  constructor(spec: TableSpec) {
    this.#spec = spec;
  }

  /** Lines that no batch can be made of are appended as records. */
  async append(engine: LogStore, records: readonly LogRecord[], written?: (line: string) => string): Promise<void> {
    const batch = await this.#batchOf(engine, records, written);
    await this.#learning(engine, batch, () => engine.append(this.#spec, batch ? { parts: [batch] } : records));
  }

  /** The same as an upload. */
  async upload(engine: LogStore, records: readonly LogRecord[], written?: (line: string) => string): Promise<void> {
    const batch = await this.#batchOf(engine, records, written);
    await this.#learning(engine, batch, async () => {
      const staging = await engine.stage(this.#spec);
      await staging.add(batch ?? records);
      await staging.commit(async () => undefined);
    });
  }

  /** Shapes are stored in the background. */
  async #learning(engine: LogStore, batch: LineBatch | undefined, send: () => Promise<unknown>): Promise<void> {
    const known = await this.#known(engine);
    await send();
    if (!batch?.file?.sought?.shapes.length) return;
    const hasLearnt = async () => (await this.#known(engine)) !== known;
    for (let round = 0; round < LEARNING_ROUNDS && !(await hasLearnt()); round += 1)
      await new Promise((done) => setTimeout(done, 1));
  }

  async #known(engine: LogStore): Promise<string | undefined> {
    return (await engine.fileColumns(this.#spec))?.leaves;
  }

  async #batchOf(
    engine: LogStore,
    records: readonly LogRecord[],
    written = (line: string) => line,
  ): Promise<LineBatch | undefined> {
    const lines = records.map(lineOf).map(written);
    const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
    const batch = this.#scanner.scan({ bytes, begin: 0, end: bytes.length, arrival: 0, maxLineBytes: 10_000 });
    const columns = await engine.fileColumns(this.#spec);
    if (!columns || batch?.count !== lines.length) return undefined;
    const target = Buffer.from(new SharedArrayBuffer(ROOM_BYTES));
    const facts = writeBatchFile(batch, columns.numbersOf(batch.fields), target, this.#matchers.for(columns.leaves));
    if (facts) this.files += 1;
    if (facts?.leaves) this.withLeaves += 1;
    return facts ? { ...batch, file: { ...facts, bytes: target, columns } } : batch;
  }
}

const lineOf = ({ text, time }: LogRecord): string => `{"_time":${time}${text === '{}' ? '' : ','}${text.slice(1)}`;
