import { flag, orElse, text } from '#operations/params/params.ts';
import type { Value } from '#query/model/values.ts';
import { parsedPairs } from '#query/values/formats/parsed-text.ts';
import { described, parser } from './parser.ts';
import { timeConfigs, timeReader } from './time-configs.ts';

export const keyValue = parser({
  code: 'key-value',
  name: 'Key-value pairs',
  description:
    'Each line has pairs of a key and a value, as the command `parsekv` reads them. All values are texts; what has no value is no field. A line without any pair cannot be read.',
  configs: {
    pair_delimiter: orElse(described(text(10), 'what stands between two pairs'), ' '),
    key_delimiter: orElse(described(text(10), 'what stands between a key and its value'), '='),
    quoted: orElse(
      described(flag, 'whether a value may stand in double quotes, `\\"` inside of them being a quote'),
      true,
    ),
    ...timeConfigs,
  },
  example: { line: 'user=kim action="log in" tries=3', fields: { user: 'kim', action: 'log in', tries: '3' } },
  compile: async ({ pair_delimiter, key_delimiter, quoted, ...time }, zone) => {
    const timeOf = timeReader(time, zone);
    const method = { format: 'kv', pairDelimiter: pair_delimiter, keyDelimiter: key_delimiter, quote: quoted } as const;
    return (line) => {
      const fields = new Map<string, Value>();
      for (const [key, value] of parsedPairs(line, method)) if (value !== null) fields.set(key, value);
      return fields.size === 0 ? undefined : { fields, time: timeOf(fields) };
    };
  },
});
