// Aligned columns for terminals. Korean letters take two cells, so widths are counted in cells.

export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cellsOf(cell));
  }
  return rows.map((row) =>
    row
      .map((cell, index) => padded(cell, widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

const padded = (cell: string, width: number) => cell + ' '.repeat(width - cellsOf(cell));

function cellsOf(text: string): number {
  let cells = 0;
  for (const point of text) cells += WIDE.test(point) ? 2 : 1;
  return cells;
}

const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/;
