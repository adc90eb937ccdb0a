// Numbers of bytes as people read them.

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

/** Three digits that count: `0 B`, `999 B`, `1.5 KiB`, `23.4 MiB`, `512 GiB`. */
export function sizeText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // What would be written as 1024 is one of the next unit.
  while (Math.round(value) >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const isWhole = unit === 0 || value >= 99.95;
  return `${value.toFixed(isWhole ? 0 : 1)} ${UNITS[unit]}`;
}
