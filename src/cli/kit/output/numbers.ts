// Bytes, seconds and counts as people read them.

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

/** Three significant digits: `0 B`, `999 B`, `1.5 KiB`, `23.4 MiB`, `512 GiB`. */
export function sizeText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // 1024 of a unit are written as 1.0 of the next.
  while (Math.round(value) >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const isWhole = unit === 0 || value >= 99.95;
  return `${value.toFixed(isWhole ? 0 : 1)} ${UNITS[unit]}`;
}

/** `0:07`, `12:30`, `3:05:00`. */
export function clockText(seconds: number): string {
  const whole = Math.ceil(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const [hours = 0, minutes = 0, rest = 0] = parts;
  const two = (number: number) => String(number).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** `12,345,678`, in both languages. */
export const countText = (count: number): string => count.toLocaleString('en-US');
