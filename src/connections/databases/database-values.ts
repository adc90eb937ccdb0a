// Values of databases that both kinds have in common.

import type { Value } from '#query/model/values.ts';
import { finite, long, wholeOfText } from '#query/values/conversions.ts';
import { instantOf, wallInstant } from '#query/values/dates/dates.ts';
import { strictJson } from '#query/values/formats/strict-json.ts';

const DECIMAL = /^([+-]?\d+)(?:\.(\d+))?$/;

/** A long where it has no fraction and fits, else a double. */
export function decimalOf(text: string): Value {
  const [, whole, fraction = ''] = DECIMAL.exec(text) ?? [];
  const exact = whole !== undefined && /^0*$/.test(fraction) ? wholeOfText(whole) : null;
  return exact ?? finite(Number(text));
}

/** Beyond 64 bits signed a double. */
export function wholeOf(text: string): Value {
  if (!/^[+-]?\d{1,40}$/.test(text)) return finite(Number(text));
  return long(BigInt(text)) ?? Number(text);
}

/** Longer texts would hold the main thread while they are parsed. */
const MAX_JSON = 2 ** 20;

/** JSON that is too long stays text. */
export const jsonOf = (text: string): Value => (text.length > MAX_JSON ? text : (strictJson(text) ?? text));

const TIME =
  /^(\d{4,6})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?)?([+-]\d\d(?::?\d\d(?::?\d\d)?)?|Z)?$/;

/** Without an offset it is wall-clock time in `zone`; null for what no date is, such as `infinity` and `0000-00-00`. */
export function dateOf(text: string, zone: string): Value {
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', offset] = TIME.exec(text) ?? [];
  if (year === undefined) return null;
  const milliseconds = Number(fraction.padEnd(3, '0').slice(0, 3));
  const parts = [year, month, day, hour, minute, second].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  try {
    const [years, months, days, hours, minutes, seconds] = parts;
    const wall = Temporal.PlainDateTime.from(
      {
        year: years,
        month: months,
        day: days,
        hour: hours,
        minute: minutes,
        second: seconds,
        millisecond: milliseconds,
      },
      { overflow: 'reject' },
    );
    if (offset === undefined) return wallInstant(wall, zone);
    const utc = wall.toZonedDateTime('UTC').epochMilliseconds;
    return instantOf(utc - offsetMs(offset));
  } catch {
    return null;
  }
}

function offsetMs(offset: string): number {
  if (offset === 'Z') return 0;
  const digits = offset.slice(1).replaceAll(':', '').padEnd(6, '0');
  const seconds = Number(digits.slice(0, 2)) * 3600 + Number(digits.slice(2, 4)) * 60 + Number(digits.slice(4));
  return (offset.startsWith('-') ? -1 : 1) * seconds * 1000;
}
