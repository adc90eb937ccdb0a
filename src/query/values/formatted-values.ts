// Values written by a format such as `%-8s|%05d|%.2f`: what format() understands, and how each value looks.

import { LONG_MAX, LONG_MIN, type Value } from '#query/model/values.ts';
import { numberOf, textOf, wholeOf } from './conversions.ts';
import { codePoints, slice } from './strings.ts';

interface Written {
  readonly conversion: 's' | 'd' | 'f' | 'x' | 'X';
  readonly isLeft: boolean;
  readonly isZeroed: boolean;
  readonly isSigned: boolean;
  readonly isGrouped: boolean;
  readonly width: number;
  readonly precision: number | undefined;
}

const PIECE = /[^%]+|%%|%([-+0,]*)(\d{0,4})(?:\.(\d{1,2}))?([sdfxX])/y;
const MAX_WIDTH = 1000;
const MAX_DIGITS = 20;

/** Texts and places of values; undefined where a percent sign begins nothing that is known. */
export function piecesOf(format: string): readonly (string | Written)[] | undefined {
  const pieces: (string | Written)[] = [];
  let at = 0;
  while (at < format.length) {
    PIECE.lastIndex = at;
    const found = PIECE.exec(format);
    if (!found) return undefined;
    at = PIECE.lastIndex;
    const [text, flags = '', width = '', precision, conversion] = found;
    const piece = conversion === undefined ? text : writtenBy(conversion, { flags, width, precision });
    if (typeof piece === 'object' && (piece.width > MAX_WIDTH || (piece.precision ?? 0) > MAX_DIGITS)) {
      return undefined;
    }
    pieces.push(piece === '%%' ? '%' : piece);
  }
  return pieces;
}

const writtenBy = (
  conversion: string,
  { flags, width, precision }: { flags: string; width: string; precision: string | undefined },
): Written => ({
  conversion: conversion as Written['conversion'], // The pattern knows no other.
  isLeft: flags.includes('-'),
  isZeroed: flags.includes('0'),
  isSigned: flags.includes('+'),
  isGrouped: flags.includes(','),
  width: Number(width || 0),
  precision: precision === undefined ? undefined : Number(precision),
});

export const placesIn = (pieces: readonly (string | Written)[]): number =>
  pieces.filter((piece) => typeof piece === 'object').length;

/** What is null, or no number where one is asked for, leaves its place empty. */
export function writtenValues(pieces: readonly (string | Written)[], values: readonly Value[], zone: string): string {
  let next = 0;
  return pieces
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      const value = values[next] ?? null;
      next += 1;
      return filled(piece, value, zone);
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
  const places = piece.precision ?? 6;
  const isNegative = number < 0 || Object.is(number, -0);
  if (typeof number === 'number' && Math.abs(number) < 1e21) {
    return signed(isNegative, Math.abs(number).toFixed(places), piece);
  }
  // Beyond it a double is whole, and toFixed() would write an exponent.
  const whole = typeof number === 'number' ? BigInt(number) : number;
  const digits = String(whole < 0n ? -whole : whole);
  return signed(isNegative, places === 0 ? digits : `${digits}.${'0'.repeat(places)}`, piece);
}

function signed(isNegative: boolean, digits: string, { isSigned, isGrouped }: Written): string {
  const [whole = '', rest] = digits.split('.');
  const grouped = isGrouped ? whole.replace(/\B(?=(\d{3})+$)/g, ',') : whole;
  return `${isNegative ? '-' : isSigned ? '+' : ''}${grouped}${rest === undefined ? '' : `.${rest}`}`;
}
