// Writing a sealed segment: one Parquet file, sorted by time.

import type { Compression } from '#logs/log-store.ts';
import { quotedText } from '#logs/runs/duckdb/quote.ts';
import { maxGroupRows, VECTOR_ROWS } from './record-sizes.ts';
import { fieldIds, type Stored } from './records.ts';
import type { SegmentStorage, WrittenFile } from './segment-storage.ts';

/** Codecs of segments. */
export type Codec = 'lz4_raw' | 'zstd';

/**
 * The contract's names are classes of codecs: `snappy` the fast one, `deflate` the dense one. Files of earlier versions have
 * SNAPPY and GZIP.
 */
export const CODECS: Readonly<Record<Compression, Codec>> = { deflate: 'zstd', snappy: 'lz4_raw' };

const MAX_GROUP_ROWS = 122_880;
/**
 * The newest records are asked for most, and a row group is decompressed as a whole: the last one of a file is small. A
 * hundred of its records take 3.9 ms of processor time there, and 9.8 ms in a group of 100,000.
 */
const LAST_GROUP_ROWS = 8192;

/** Of all row groups of a file but the last. DuckDB makes row groups of whole vectors. */
export function groupRows({ rows, recordBytes }: Pick<Content, 'rows' | 'recordBytes'>): number {
  const most = recordBytes === null ? MAX_GROUP_ROWS : Math.min(MAX_GROUP_ROWS, maxGroupRows({ rows, recordBytes }));
  const others = rows - LAST_GROUP_ROWS;
  if (others < 2 * LAST_GROUP_ROWS) return most;
  const groups = Math.ceil(others / most);
  return Math.max(1, Math.floor(others / groups / VECTOR_ROWS)) * VECTOR_ROWS;
}

interface Written extends WrittenFile {
  readonly codec: Codec;
  readonly rows: number;
  readonly recordBytes: number | null;
  readonly minTime: number;
  readonly maxTime: number;
  readonly minId: number;
  readonly maxId: number;
}

export interface Content {
  /** A SELECT over at least one record. */
  readonly source: string;
  /** How many there are. */
  readonly rows: number;
  /** Bytes of their texts as they came; null where that is not known. */
  readonly recordBytes: number | null;
  /** The names of its columns beside our own and those of leaves. */
  readonly names: Iterable<string>;
  /** True when the records come in the order of their times. */
  readonly isSorted: boolean;
}

/** `file` is relative to the folder of the table. */
export async function writeSegment(
  storage: SegmentStorage,
  { source, rows, recordBytes, names, isSorted }: Content,
  { file, codec, stored }: { file: string; codec: Codec; stored: Stored },
): Promise<Written> {
  const { instance } = storage;
  const options = `format parquet, compression ${codec}, parquet_version v2, row_group_size ${groupRows({ rows, recordBytes })}, use_tmp_file false, ${fieldIds(stored, names)}`;
  const records = isSorted ? source : `select * from (${source}) order by _time, _id`;
  let facts: Record<string, unknown> | undefined;
  const kept = await storage.write(file, async (path) => {
    await instance.run(`copy (${records}) to ${quotedText(path)} (${options})`);
    [facts] = await instance.run(
      `select count(*)::double as total, epoch_ms(min(_time))::double as min_time, epoch_ms(max(_time))::double as max_time,
              min(_id)::double as min_id, max(_id)::double as max_id from read_parquet(${quotedText(path)})`,
    );
  });
  return {
    ...kept,
    codec,
    rows: Number(facts?.total),
    recordBytes,
    minTime: Number(facts?.min_time),
    maxTime: Number(facts?.max_time),
    minId: Number(facts?.min_id),
    maxId: Number(facts?.max_id),
  };
}
