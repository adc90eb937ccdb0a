// Times of senders in epoch milliseconds.

import { fromTimeText } from '#contract/times.ts';

/** Nanoseconds as decimal digits; exact, unlike a double of them. Undefined where the text is no number. */
export function millisecondsOf(nanoseconds: string): number | undefined {
  if (/^\d+$/.test(nanoseconds)) return Number(nanoseconds.slice(0, -6));
  if (!/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(nanoseconds)) return undefined;
  return Math.floor(Number(nanoseconds) / 1e6);
}

const ZERO = 0x30;
const NINE = 0x39;
const POINT = 0x2e;
/** Of whole seconds. */
const MAX_DIGITS = 11;

/** The same for digits in bytes, with or without decimals; undefined where the text has another form. */
export function millisecondsOfDigits(bytes: Uint8Array, from: number, end: number): number | undefined {
  let seconds = 0;
  let at = from;
  for (; at < end && isDigit(bytes[at] ?? 0); at += 1) seconds = seconds * 10 + (bytes[at] ?? 0) - ZERO;
  if (at === from || at - from > MAX_DIGITS) return undefined;
  if (at === end) return seconds * 1000;
  if (bytes[at] !== POINT) return undefined;
  let milliseconds = seconds * 1000;
  let unit = 100;
  for (at += 1; at < end && isDigit(bytes[at] ?? 0); at += 1, unit = Math.floor(unit / 10)) {
    milliseconds += unit * ((bytes[at] ?? 0) - ZERO);
  }
  return at === end ? milliseconds : undefined;
}

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= NINE;

/** Seconds with decimals, which a double of milliseconds would round. */
export function millisecondsOfSeconds(seconds: string): number | undefined {
  if (/^\d+(?:\.\d*)?$/.test(seconds)) {
    const point = seconds.indexOf('.');
    if (point === -1) return Number(seconds) * 1000;
    const decimals = seconds.slice(point + 1, point + 4).padEnd(3, '0');
    return Number(seconds.slice(0, point)) * 1000 + Number(decimals);
  }
  if (!/^-?\d*\.?\d+(?:[eE][+-]?\d+)?$/.test(seconds)) return undefined;
  return Math.floor(Number(seconds) * 1000);
}

/** Milliseconds as a number of JSON, without decimals, which a double would round up where they are many. */
export const wholeMilliseconds = (milliseconds: string): number =>
  Math.floor(Number(milliseconds.replace(/^(\d+)\.\d+$/, '$1')));

const DECIMALS = /^(\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2})[.,](\d{1,9})(?=$|Z|[+-])/;

/** ISO 8601 with up to nine decimals, cut at milliseconds: rsyslog writes six, others nine. */
export const millisecondsOfText = (text: string, zone: string): number | undefined =>
  fromTimeText(text, zone) ?? fromTimeText(text.replace(DECIMALS, withMilliseconds), zone);

const withMilliseconds = (_: string, clock: string, decimals: string): string =>
  `${clock}.${decimals.slice(0, 3).padEnd(3, '0')}`;
