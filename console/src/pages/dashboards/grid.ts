// Positions of panels in the grid. Panels never overlap: a panel that is moved or sized keeps its position, the others make room
// below it, and all of them rise as far as they can.

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

interface Placed extends Box {
  readonly id: string;
}

export const MIN_WIDTH = 1;
export const MIN_HEIGHT = 2;
const MAX_HEIGHT = 100;

/** The same panels in the same order, without overlaps. `first` is placed before all others. */
export function settled<P extends Placed>(panels: readonly P[], columns: number, first?: string): readonly P[] {
  const inside = panels.map((panel) => ({ ...panel, ...within(panel, columns) }));
  const order = inside.toSorted(
    (one, other) => Number(other.id === first) - Number(one.id === first) || one.y - other.y || one.x - other.x || 0,
  );
  const boxes = new Map<string, Box>();
  for (const panel of order) boxes.set(panel.id, panel.id === first ? panel : below(panel, [...boxes.values()]));
  // The moved panel rises last, so that it stays where it was put while others are above it.
  const raised = new Map<string, Box>();
  const byRow = inside
    .map((panel) => ({ id: panel.id, box: boxes.get(panel.id) ?? panel }))
    .toSorted((one, other) => one.box.y - other.box.y || one.box.x - other.box.x);
  for (const { id, box } of byRow) raised.set(id, risen(box, [...raised.values()]));
  return inside.map((panel) => ({ ...panel, ...boxOf(raised.get(panel.id) ?? panel) }));
}

/** With one panel at another position or of another size. */
export const changed = <P extends Placed>(
  panels: readonly P[],
  { id, columns, ...change }: Partial<Box> & { readonly id: string; readonly columns: number },
): readonly P[] =>
  settled(
    panels.map((panel) => (panel.id === id ? { ...panel, ...change } : panel)),
    columns,
    id,
  );

/** The first row below all panels. */
export const bottomOf = (panels: readonly Box[]): number => Math.max(0, ...panels.map(({ y, h }) => y + h));

const boxOf = ({ x, y, w, h }: Box): Box => ({ x, y, w, h });

function within({ x, y, w, h }: Box, columns: number): Box {
  const width = Math.min(columns, Math.max(MIN_WIDTH, w));
  return {
    w: width,
    h: Math.min(MAX_HEIGHT, Math.max(MIN_HEIGHT, h)),
    x: Math.min(columns - width, Math.max(0, x)),
    y: Math.max(0, y),
  };
}

const overlaps = (one: Box, other: Box): boolean =>
  one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h;

function below(box: Box, others: readonly Box[]): Box {
  let free = box;
  for (let hit = others.find((other) => overlaps(free, other)); hit; ) {
    free = { ...free, y: hit.y + hit.h };
    hit = others.find((other) => overlaps(free, other));
  }
  return free;
}

function risen(box: Box, others: readonly Box[]): Box {
  let free = box;
  while (free.y > 0) {
    const above = { ...free, y: free.y - 1 };
    if (others.some((other) => overlaps(above, other))) break;
    free = above;
  }
  return free;
}
