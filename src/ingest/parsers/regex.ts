import { queryErrorText, wrongPattern } from '#contract/errors.ts';
import { meaning, required, text } from '#operations/params/params.ts';
import { QueryError, reportOf } from '#query/model/query-error.ts';
import { captureOf, type FieldGroups, fieldGroups } from '#query/model/regex.ts';
import type { Value } from '#query/model/values.ts';
import { described, parser } from './parser.ts';
import { timeConfigs, timeReader } from './time-configs.ts';

const pattern = meaning(text(10_000), {}, (value, name) => {
  try {
    groupsIn(value);
    return value;
  } catch (cause) {
    if (!(cause instanceof QueryError)) throw cause;
    const { code, message, line, column } = reportOf(cause, value, 'en');
    throw Object.assign(wrongPattern(name, queryErrorText(code, message, { line, column })), { cause });
  }
});

const groupsIn = (value: string): FieldGroups =>
  fieldGroups({ text: value, offset: (index) => index }, { begin: 0, end: value.length });

/** Finding groups takes microseconds for each letter, so that longer lines are left alone. */
const MAX_LINE = 65_536;

export const regex = parser({
  code: 'regex',
  name: 'Regular expression',
  description:
    'Each named group of a regular expression (RE2) becomes a field, if it matched something. The first match in the line counts; a line without one cannot be read, nor one of more than 65,536 characters or one that takes more than 1,500,000 steps.',
  configs: {
    pattern: required(described(pattern, 'with at least one group `(?<name>...)`')),
    ...timeConfigs,
  },
  example: {
    configs: { pattern: 'user (?<user>\\S+) from (?<ip>[\\d.]+)' },
    line: 'Failed password for user kim from 10.0.0.1',
    fields: { user: 'kim', ip: '10.0.0.1' },
  },
  compile: async ({ pattern: source, ...time }, zone, limit) => {
    // With the first pattern: most services never have one.
    const [{ captures, regexOf }, { StepMeter }, { StepsExceeded }] = await Promise.all([
      import('#query/values/regexes/regexes.ts'),
      import('#query/values/steps.ts'),
      import('#query/values/failures.ts'),
    ]);
    const steps = new StepMeter(limit.parserSteps);
    const { pattern, fields: groups } = groupsIn(source);
    const compiled = regexOf(pattern);
    const timeOf = timeReader(time, zone);
    const withinSteps = (line: string) => {
      steps.beginRecord();
      try {
        return captures(line, compiled, steps);
      } catch (failure) {
        if (!(failure instanceof StepsExceeded)) throw failure;
        limit.exceed();
        return undefined;
      }
    };
    return (line) => {
      const found = line.length > MAX_LINE ? undefined : withinSteps(line);
      if (!found) return undefined;
      const fields = new Map<string, Value>();
      for (const group of groups) {
        const text = captureOf(found, group);
        if (text !== null) fields.set(group.name, text);
      }
      return { fields, time: timeOf(fields) };
    };
  },
});
