// Where a line of fields has its time: what several parsers are told alike.

import { wrongDatePattern } from '#contract/errors.ts';
import { fromTimeText } from '#contract/times.ts';
import { isStorable } from '#kernel/time/storable-time.ts';
import { meaning, text } from '#operations/params/params.ts';
import { datePatternError } from '#query/model/date-pattern.ts';
import type { MapValue } from '#query/model/values.ts';
import { readByPattern } from '#query/values/dates/date-reading.ts';
import { described } from './parser.ts';

const pattern = meaning(text(1000), {}, (value, name) => {
  if (datePatternError({ text: value, offset: (index) => index })) throw wrongDatePattern(name);
  return value;
});

export const timeConfigs = {
  time_field: described(text(255), 'the field that holds the time of the log'),
  time_format: described(
    pattern,
    'how that time is written, as in the function `date()`; without it as time text or epoch milliseconds',
  ),
};

interface TimeConfigs {
  readonly time_field: string | undefined;
  readonly time_format: string | undefined;
}

/** The time among the fields; undefined where there is none, or none that can be read. */
export function timeReader(
  { time_field, time_format }: TimeConfigs,
  zone: string,
): (fields: MapValue) => number | undefined {
  if (time_field === undefined) return () => undefined;
  const read = time_format === undefined ? writtenTime : byPattern(time_format);
  return (fields) => {
    const written = fields.get(time_field);
    const time = typeof written === 'string' ? read(written, zone) : undefined;
    return time !== undefined && isStorable(time) ? time : undefined;
  };
}

/** What the field `_time` says, which goes before any other time; undefined where there is none. */
export function ownTime(fields: MapValue, zone: string): number | 'invalid-time' | undefined {
  const written = fields.get('_time') ?? null;
  if (written === null) return undefined;
  const time = typeof written === 'string' ? writtenTime(written, zone) : undefined;
  return time !== undefined && isStorable(time) ? time : 'invalid-time';
}

const EPOCH = /^-?\d{1,16}$/;

/** Time text, or the milliseconds since 1970. */
const writtenTime = (written: string, zone: string): number | undefined =>
  EPOCH.test(written) ? Number(written) : fromTimeText(written, zone);

const byPattern = (format: string) => (written: string, zone: string) =>
  readByPattern(written, format, { zone, locale: 'en' })?.epochMilliseconds;
