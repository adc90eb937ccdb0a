// Rounding with halves away from zero, which every engine can do.

export const awayFromZero = (value: number): number => Math.sign(value) * Math.round(Math.abs(value));

/**
 * `n * 10^digits` rounded, `/ 10^digits`; powers of ten are parsed from text, so that they are exact where possible.
 */
export function rounded(value: number, digits: number): number {
  const power = Number(`1e${Math.min(Math.abs(digits), 400)}`);
  return digits < 0 ? awayFromZero(value / power) * power : awayFromZero(value * power) / power;
}
