// Writing a sealed segment: one Parquet file, sorted by time, on disk as a whole or not at all.

import { rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Compression } from '#engines/engine.ts';
import { flushed } from './durable.ts';
import type { Duck } from './instance.ts';
import { quotedText } from './quote.ts';

/** Parquet's own name for what the interface calls deflate. */
const CODECS: Readonly<Record<Compression, string>> = { deflate: 'gzip', snappy: 'snappy' };
const ROWS_PER_GROUP = 122_880;

export interface Written {
  readonly rows: number;
  readonly bytes: number;
  readonly minTime: number;
  readonly maxTime: number;
  readonly minId: number;
  readonly maxId: number;
}

export interface Content {
  /** A SELECT over at least one record. */
  readonly source: string;
  /** True when the records come in the order of their times. */
  readonly isSorted: boolean;
}

export async function writeSegment(
  duck: Duck,
  content: Content,
  { file, compression }: { file: string; compression: Compression },
): Promise<Written> {
  const unfinished = `${file}.unfinished`;
  try {
    return await written(duck, content, { file, unfinished, compression });
  } catch (error) {
    // On a full disk every byte counts.
    await rm(unfinished, { force: true });
    throw error;
  }
}

interface Writing {
  readonly file: string;
  readonly unfinished: string;
  readonly compression: Compression;
}

async function written(duck: Duck, content: Content, { file, unfinished, compression }: Writing): Promise<Written> {
  const options = `format parquet, compression ${CODECS[compression]}, parquet_version v2, row_group_size ${ROWS_PER_GROUP}`;
  const records = content.isSorted ? content.source : `select * from (${content.source}) order by _time, _id`;
  await duck.run(`copy (${records}) to ${quotedText(unfinished)} (${options})`);
  const [facts] = await duck.run(
    `select count(*)::double as total, epoch_ms(min(_time))::double as min_time, epoch_ms(max(_time))::double as max_time,
            min(_id)::double as min_id, max(_id)::double as max_id from read_parquet(${quotedText(unfinished)})`,
  );
  await flushed(unfinished);
  await rename(unfinished, file);
  await flushed(dirname(file));
  const { size } = await stat(file);
  return {
    rows: Number(facts?.total),
    bytes: size,
    minTime: Number(facts?.min_time),
    maxTime: Number(facts?.max_time),
    minId: Number(facts?.min_id),
    maxId: Number(facts?.max_id),
  };
}
