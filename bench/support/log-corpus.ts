// The logs that the benches of log tables work with: a uniform one, generated or named by VIGIL_BENCH_LOG, and a ragged one.

import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Json } from '#kernel/json/canonical-json.ts';
import { writeAccessLog } from './access-log.ts';
import { APPLICATION_COLUMNS, writeApplicationLog } from './application-log.ts';
import type { Effort } from './bench.ts';

export const CORPUS_VARIABLE = 'VIGIL_BENCH_LOG';
const RECORDS = 5_000_000;
const QUICK_RECORDS = 100_000;
const RAGGED_RECORDS = 1_000_000;
const QUICK_RAGGED_RECORDS = 50_000;
const LINES_PER_WRITE = 10_000;

export interface LogCorpus {
  /** NDJSON, every line a record and ended. */
  readonly file: string;
  readonly records: number;
  readonly bytes: number;
  /** DuckDB's types of the fields for a reader of the file; a `_time` that is a BIGINT is in epoch milliseconds. */
  readonly columns: Readonly<Record<string, string>>;
  /** Whether every record brings its own `_time`. */
  readonly isTimed: boolean;
  /** What it is, for the notes. */
  readonly about: string;
}

type Told = Pick<Effort, 'isQuick' | 'say'>;

/** Writes a log to a file. */
export type MakeCorpus = (file: string, told: Told) => Promise<LogCorpus>;

/** The same time forms, gaps and mixed types as logs of services have: what breaks the fast paths of a uniform log. */
export async function makeRaggedCorpus(file: string, { isQuick, say }: Told): Promise<LogCorpus> {
  const records = isQuick ? QUICK_RAGGED_RECORDS : RAGGED_RECORDS;
  const bytes = writeApplicationLog(file, records, (done) => say(`${done} of ${records} ragged records made`));
  const about = `A generated application log of ${records.toLocaleString('en')} records, ${Math.round(bytes / records)} bytes each, over a day: records of four shapes, a third of the fields of mixed type, objects nested three levels deep, time texts, fields that are optional or appear halfway, Korean, late records.`;
  return { file, records, bytes, columns: APPLICATION_COLUMNS, isTimed: true, about };
}

export async function makeCorpus(file: string, { isQuick, say }: Told): Promise<LogCorpus> {
  const records = isQuick ? QUICK_RECORDS : RECORDS;
  const given = process.env[CORPUS_VARIABLE];
  if (given) return await takenOver(given, { file, most: records, say });
  const bytes = writeAccessLog(file, records, (done) => say(`${done} of ${records} records made`));
  const about = `A generated access log of ${records.toLocaleString('en')} records, ${Math.round(bytes / records)} bytes each, over five days.`;
  return { file, records, bytes, columns: GENERATED_COLUMNS, isTimed: true, about };
}

const GENERATED_COLUMNS = {
  _time: 'BIGINT',
  src_ip: 'VARCHAR',
  port: 'BIGINT',
  method: 'VARCHAR',
  host: 'VARCHAR',
  path: 'VARCHAR',
  status: 'BIGINT',
  bytes: 'BIGINT',
  duration_ms: 'DOUBLE',
  trace: 'VARCHAR',
  referer: 'VARCHAR',
  user_agent: 'VARCHAR',
};

interface Taking {
  readonly file: string;
  readonly most: number;
  say(line: string): void;
}

/** Copies the first records of a file to where the bench works, and learns their columns on the way. */
async function takenOver(source: string, { file, most, say }: Taking): Promise<LogCorpus> {
  const survey = new Survey();
  let bytes = 0;
  async function* chunks() {
    let lines: string[] = [];
    for await (const line of linesOf(source)) {
      if (line.trim() === '') continue;
      survey.see(line);
      lines.push(`${line}\n`);
      if (lines.length < LINES_PER_WRITE && survey.records < most) continue;
      yield lines.join('');
      lines = [];
      say(`${survey.records} records taken over`);
      if (survey.records === most) return;
    }
    yield lines.join('');
  }
  async function* counted() {
    for await (const chunk of chunks()) {
      bytes += Buffer.byteLength(chunk);
      yield chunk;
    }
  }
  await pipeline(Readable.from(counted()), createWriteStream(file));
  const { records, isTimed } = survey;
  if (records === 0) throw new Error(`${CORPUS_VARIABLE} names a file without records`);
  const about = `An open log of ${records.toLocaleString('en')} records, ${Math.round(bytes / records)} bytes each, in place of the generated one.`;
  return { file, records, bytes, columns: survey.columns(), isTimed, about };
}

function linesOf(source: string): AsyncIterable<string> {
  const stored = createReadStream(source);
  const input = source.endsWith('.gz') ? stored.pipe(createGunzip()) : stored;
  if (input !== stored) stored.on('error', (error) => input.destroy(error));
  return createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
}

/** Learns, record by record, as what type each field can be read. */
class Survey {
  readonly #types = new Map<string, string>();
  /** DuckDB compares names without case: only the first spelling is read. */
  readonly #spellings = new Map<string, string>(OWN_NAMES.map((name) => [name, '']));
  #timed = 0;
  records = 0;

  see(line: string): void {
    const record: Readonly<Record<string, Json>> = JSON.parse(line);
    this.records += 1;
    if (typeof record._time === 'number') this.#timed += 1;
    for (const [name, value] of Object.entries(record)) this.#learn(name, value);
  }

  get isTimed(): boolean {
    return this.#timed === this.records;
  }

  columns(): Record<string, string> {
    return { ...(this.isTimed ? { _time: 'BIGINT' } : {}), ...Object.fromEntries(this.#types) };
  }

  #learn(name: string, value: Json): void {
    const lower = name.toLowerCase();
    const spelling = this.#spellings.get(lower) ?? name;
    this.#spellings.set(lower, spelling);
    if (value === null || name === '' || spelling !== name) return;
    const type = typeOf(value);
    const known = this.#types.get(name) ?? type;
    this.#types.set(name, known === type ? type : [known, type].every(isNumeric) ? 'DOUBLE' : 'VARCHAR');
  }
}

/** What the service gives to every record. */
const OWN_NAMES = ['_id', '_time', '_table', '_rest'];

const isNumeric = (type: string): boolean => type === 'BIGINT' || type === 'DOUBLE';

/** Objects and arrays are read as their text. */
function typeOf(value: Json): string {
  if (typeof value === 'boolean') return 'BOOLEAN';
  if (typeof value !== 'number') return 'VARCHAR';
  return Number.isSafeInteger(value) ? 'BIGINT' : 'DOUBLE';
}
