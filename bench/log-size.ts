// How many bytes a record takes on disk, by layout and compression.

import { COMPRESSIONS, LAYOUTS } from '#logs/log-store.ts';
import { type Bench, ofRaggedLog, type Row } from './support/bench.ts';
import { type SharedLogs, USUAL } from './support/shared-logs.ts';

export const logSize: Bench = {
  name: 'log-size',
  question: 'How many bytes does a record take on disk, by layout and compression, when everything is sealed?',
  yardstick: 'the same record as NDJSON, and in the Parquet file of a bare COPY (snappy)',
  aim: 'none, told only',

  async run(effort) {
    const uniform = await sizesOf(effort.logs);
    const ragged = await sizesOf(effort.raggedLogs);
    return {
      rows: [...uniform.rows, ...ofRaggedLog(ragged.rows)],
      notes: [uniform.about, ragged.about, ...NOTES, `Files: ${uniform.files}; ragged: ${ragged.files}.`],
    };
  },
};

async function sizesOf(logs: SharedLogs) {
  const corpus = await logs.corpus();
  const copied = await logs.copied();
  const each = (bytes: number) => bytes / corpus.records;
  const rows: Row[] = [
    { what: 'bare COPY beside NDJSON', value: each(copied.bytes), unit: 'bytes', yardstick: each(corpus.bytes) },
  ];
  const files: string[] = [];
  for (const layout of LAYOUTS) {
    for (const compression of COMPRESSIONS.toReversed()) {
      const fill = await logs.filled({ ...USUAL, layout, compression });
      const row = { value: each(fill.tableBytes), unit: 'bytes' as const };
      const name = `${layout}, ${compression}`;
      rows.push({ what: `${name}: beside NDJSON`, ...row, yardstick: each(corpus.bytes) });
      rows.push({ what: `${name}: beside bare COPY`, ...row, yardstick: each(copied.bytes) });
      files.push(`${name} ${fill.files}`);
    }
  }
  return { about: corpus.about, rows, files: files.join('; ') };
}

const NOTES = [
  '`table_size` of Get Tables after everything was sealed; the sizes of the files on disk add up to the same, or the bench fails. The journal is gone by then.',
  'Our records have an `_id` that those of the bare COPY have not.',
];
