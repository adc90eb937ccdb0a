// Times of senders in epoch milliseconds.

/** Nanoseconds as decimal digits; exact, unlike a double of them. Undefined where the text is no number. */
export function millisecondsOf(nanoseconds: string): number | undefined {
  if (/^\d+$/.test(nanoseconds)) return Number(nanoseconds.slice(0, -6));
  if (!/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(nanoseconds)) return undefined;
  return Math.floor(Number(nanoseconds) / 1e6);
}

/** Seconds with decimals, which a double of milliseconds would round. */
export function millisecondsOfSeconds(seconds: string): number | undefined {
  const [, sign, whole = '', decimals = ''] = /^(-?)(\d+)(?:\.(\d*))?$/.exec(seconds) ?? [];
  if (sign === '') return Number(whole) * 1000 + Number(decimals.slice(0, 3).padEnd(3, '0'));
  if (!/^-?\d*\.?\d+(?:[eE][+-]?\d+)?$/.test(seconds)) return undefined;
  return Math.floor(Number(seconds) * 1000);
}
