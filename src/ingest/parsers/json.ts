import { recordOf } from '#ingest/decode/record.ts';
import { recordIn } from '#query/values/formats/strict-json.ts';
import { parser } from './parser.ts';

export const json = parser({
  code: 'json',
  name: 'JSON',
  description: 'Each line is one JSON object.',
  configs: {},
  example: { line: '{"user":"kim","tries":3}', fields: { user: 'kim', tries: 3 } },
  isOfRecords: true,
  compile: async (_, zone) => (line, at) => {
    const record = recordOf(line.trim(), { at, zone });
    return typeof record === 'string' ? undefined : { fields: recordIn(record.text), time: record.time };
  },
});
