import { duplicatedMember } from '#contract/errors.ts';
import { parseCsvLine } from '#kernel/text/csv-line.ts';
import { meaning, orElse, required, text, words } from '#operations/params/params.ts';
import type { Value } from '#query/model/values.ts';
import { described, parser } from './parser.ts';
import { timeConfigs, timeReader } from './time-configs.ts';

const columns = meaning(words, {}, (names, name) => {
  const twice = names.find((one, at) => names.indexOf(one) !== at);
  if (twice !== undefined) throw duplicatedMember(name, twice);
  return names;
});

export const csv = parser({
  code: 'csv',
  name: 'CSV',
  description:
    'Each line has values separated by commas, quoted as in RFC 4180. All are texts; an empty one is no field unless it is quoted. A line with another number of values than there are columns cannot be read.',
  configs: {
    columns: required(described(columns, 'the names of the fields, in their order')),
    delimiter: orElse(described(text(10), 'what stands between two values'), ','),
    quote: orElse(described(text(1), 'what stands around a value, and twice inside of one for itself'), '"'),
    ...timeConfigs,
  },
  example: {
    configs: { columns: ['at', 'user', 'action'], time_field: 'at' },
    line: '2026-11-15 12:00:00+0900,kim,"log in, twice"',
    fields: { at: '2026-11-15 12:00:00+0900', user: 'kim', action: 'log in, twice' },
    time: '2026-11-15T03:00:00Z',
  },
  compile: async ({ columns: names, delimiter, quote, ...time }, zone) => {
    const timeOf = timeReader(time, zone);
    const marks = { separator: delimiter, quote };
    return (line) => {
      const { values, quoted, isWellFormed } = parseCsvLine(line, marks, names.length);
      if (!isWellFormed || values.length !== names.length) return undefined;
      const fields = new Map<string, Value>();
      for (const [at, name] of names.entries()) {
        const value = values[at] ?? '';
        if (value !== '' || quoted[at]) fields.set(name, value);
      }
      return { fields, time: timeOf(fields) };
    };
  },
});
