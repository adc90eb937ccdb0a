// What reads the lines of a logger's model.

import { notFound } from '#contract/errors.ts';
import type { LogRecord } from '#engines/engine.ts';
import type { Log } from '#ingest/intake.ts';
import { asParsed, JsonRecords } from '#ingest/line.ts';
import { parserNamed } from '#ingest/parsers.ts';
import type { Reason } from '#ingest/record.ts';
import type { Target } from '#ingest/target.ts';

export interface LogReader {
  of(line: string, at: number): Log | Reason;
  normalized(record: LogRecord): Log;
}

export function readerFor({ parser_code }: Target, { zone }: { readonly zone: string }): LogReader {
  const parser = parserNamed(parser_code ?? '');
  if (!parser) throw notFound('parser', parser_code ?? '');
  let records = new JsonRecords({ at: 0, zone });
  let moment = 0;
  return {
    of(line, at) {
      if (at !== moment) records = new JsonRecords({ at, zone });
      moment = at;
      return asParsed(records.of(parser.parse(line)));
    },
    normalized: (record) => record,
  };
}
