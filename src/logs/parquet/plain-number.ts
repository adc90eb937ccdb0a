// Numbers in JSON, read from their bytes.

const ZERO = 0x30;
const NINE = 0x39;
const POINT = 0x2e;
const MINUS = 0x2d;
/** So many digits are exact in a double, whatever they are, and so is their quotient by a power of ten. */
const MAX_DIGITS = 15;
const POWERS = Float64Array.from({ length: MAX_DIGITS + 1 }, (_, exponent) => 10 ** exponent);

/** The number that stands from `from` to `end`; -0 is 0. */
export function numberAt(bytes: Uint8Array, from: number, end: number): number {
  const isNegative = bytes[from] === MINUS;
  let value = 0;
  let digits = 0;
  let point = end;
  for (let at = isNegative ? from + 1 : from; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte >= ZERO && byte <= NINE) {
      value = value * 10 + byte - ZERO;
      digits += 1;
    } else if (byte === POINT) point = at + 1;
    else return numberIn(bytes, from, end);
  }
  if (digits > MAX_DIGITS) return numberIn(bytes, from, end);
  const exact = value / (POWERS[end - point] ?? 1);
  return isNegative ? 0 - exact : exact;
}

const numberIn = (bytes: Uint8Array, from: number, end: number): number =>
  Number(String.fromCharCode(...bytes.subarray(from, end))) + 0;
