// Formats values by a text such as `%-8s|%05d|%.2f`: parses the format and writes each value.

import { LONG_MAX, LONG_MIN, type Value } from '#query/model/values.ts';
import { numberOf, textOf, wholeOf } from '#query/values/conversions.ts';
import { codePoints, slice } from './strings.ts';

interface Written {
  readonly conversion: 's' | 'd' | 'f' | 'x' | 'X';
  readonly isLeft: boolean;
  readonly isZeroed: boolean;
  readonly isSigned: boolean;
  readonly isGrouped: boolean;
  readonly width: number;
  readonly precision: number | undefined;
  /** From 1; undefined if the conversions take the values in order. */
  readonly position: number | undefined;
}

const PIECE = /[^%]+|%%|%(?:(\d{1,4})\$)?([-+0,]*)(\d{0,4})(?:\.(\d{1,2}))?([sdfxX])/y;
const MAX_WIDTH = 1000;
const MAX_DIGITS = 20;

/**
 * Literal texts and placeholders; undefined if a percent sign begins no known placeholder, or if only some of the
 * placeholders have positions.
 */
export function piecesOf(format: string): readonly (string | Written)[] | undefined {
  const pieces: (string | Written)[] = [];
  let at = 0;
  while (at < format.length) {
    PIECE.lastIndex = at;
    const found = PIECE.exec(format);
    if (!found) return undefined;
    at = PIECE.lastIndex;
    const [text, position, flags = '', width = '', precision, conversion] = found;
    const piece = conversion === undefined ? text : writtenBy(conversion, { position, flags, width, precision });
    if (typeof piece === 'object' && isBeyond(piece)) return undefined;
    pieces.push(piece === '%%' ? '%' : piece);
  }
  return isMixed(pieces) ? undefined : pieces;
}

const isBeyond = ({ width, precision = 0, position }: Written): boolean =>
  width > MAX_WIDTH || precision > MAX_DIGITS || position === 0;

function isMixed(pieces: readonly (string | Written)[]): boolean {
  const values = pieces.filter((piece) => typeof piece === 'object');
  return new Set(values.map(({ position }) => position === undefined)).size > 1;
}

const writtenBy = (
  conversion: string,
  {
    position,
    flags,
    width,
    precision,
  }: Record<'flags' | 'width', string> & Record<'position' | 'precision', string | undefined>,
): Written => ({
  position: position === undefined ? undefined : Number(position),
  conversion: conversion as Written['conversion'], // The expression matches no other conversion.
  isLeft: flags.includes('-'),
  isZeroed: flags.includes('0'),
  isSigned: flags.includes('+'),
  isGrouped: flags.includes(','),
  width: Number(width || 0),
  precision: precision === undefined ? undefined : Number(precision),
});

/** The number of values that the placeholders take; undefined if a value would not be used. */
export function valuesIn(pieces: readonly (string | Written)[]): number | undefined {
  const values = pieces.filter((piece) => typeof piece === 'object');
  const positions = new Set(values.flatMap(({ position }) => position ?? []));
  if (positions.size === 0) return values.length;
  const last = Math.max(...positions);
  return positions.size === last ? last : undefined;
}

/** Null, or a value that is no number where one is needed, leaves its placeholder empty. */
export function writtenValues(pieces: readonly (string | Written)[], values: readonly Value[], zone: string): string {
  let next = 0;
  return pieces
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      const at = piece.position === undefined ? next : piece.position - 1;
      next += 1;
      return filled(piece, values[at] ?? null, zone);
    })
    .join('');
}

function filled(piece: Written, value: Value, zone: string): string {
  const { isLeft, isZeroed, width, conversion } = piece;
  const text = plain(piece, value, zone);
  const missing = width - codePoints(text);
  if (missing <= 0) return text;
  if (isLeft) return text + ' '.repeat(missing);
  if (!isZeroed || conversion === 's' || text === '') return ' '.repeat(missing) + text;
  const sign = /^[+-]/.exec(text)?.[0] ?? '';
  return `${sign}${'0'.repeat(missing)}${text.slice(sign.length)}`;
}

function plain(piece: Written, value: Value, zone: string): string {
  const { conversion, precision } = piece;
  if (conversion === 's') {
    const text = textOf(value, zone) ?? '';
    return precision === undefined ? text : slice(text, 0, precision);
  }
  if (conversion === 'f') return decimals(numberOf(value), piece);
  const whole = wholeOf(value);
  if (whole === null || whole < LONG_MIN || whole > LONG_MAX) return '';
  if (conversion === 'd') return signed(whole < 0n, String(whole < 0n ? -whole : whole), piece);
  const digits = BigInt.asUintN(64, whole).toString(16);
  return conversion === 'x' ? digits : digits.toUpperCase();
}

function decimals(number: bigint | number | null, piece: Written): string {
  if (number === null) return '';
  const digitCount = piece.precision ?? 6;
  const isNegative = number < 0 || Object.is(number, -0);
  if (typeof number === 'number' && Math.abs(number) < 1e21) {
    return signed(isNegative, Math.abs(number).toFixed(digitCount), piece);
  }
  // From 1e21 on a double has no fraction, and toFixed() would write an exponent.
  const whole = typeof number === 'number' ? BigInt(number) : number;
  const digits = String(whole < 0n ? -whole : whole);
  return signed(isNegative, digitCount === 0 ? digits : `${digits}.${'0'.repeat(digitCount)}`, piece);
}

function signed(isNegative: boolean, digits: string, { isSigned, isGrouped }: Written): string {
  const [whole = '', rest] = digits.split('.');
  const grouped = isGrouped ? whole.replace(/\B(?=(\d{3})+$)/g, ',') : whole;
  return `${isNegative ? '-' : isSigned ? '+' : ''}${grouped}${rest === undefined ? '' : `.${rest}`}`;
}
