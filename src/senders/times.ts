// Times of senders in epoch milliseconds.

/** Nanoseconds as decimal digits; exact, unlike a double of them. Undefined where the text is no number. */
export function millisecondsOf(nanoseconds: string): number | undefined {
  if (/^\d+$/.test(nanoseconds)) return Number(nanoseconds.slice(0, -6));
  if (!/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(nanoseconds)) return undefined;
  return Math.floor(Number(nanoseconds) / 1e6);
}

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
