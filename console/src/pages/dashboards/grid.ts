// Places of panels in the grid. Panels never overlap: a panel that is moved or sized keeps its place, the others make room
// below it, and all of them rise as far as they can.

export interface Place {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

interface Placed extends Place {
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
  const places = new Map<string, Place>();
  for (const panel of order) places.set(panel.id, panel.id === first ? panel : below(panel, [...places.values()]));
  // The moved panel rises last, so that it stays where it was put while others are above it.
  const raised = new Map<string, Place>();
  const byRow = inside
    .map((panel) => ({ id: panel.id, place: places.get(panel.id) ?? panel }))
    .toSorted((one, other) => one.place.y - other.place.y || one.place.x - other.place.x);
  for (const { id, place } of byRow) raised.set(id, risen(place, [...raised.values()]));
  return inside.map((panel) => ({ ...panel, ...placeOf(raised.get(panel.id) ?? panel) }));
}

/** With one panel at another place or of another size. */
export const changed = <P extends Placed>(
  panels: readonly P[],
  { id, columns, ...change }: Partial<Place> & { readonly id: string; readonly columns: number },
): readonly P[] =>
  settled(
    panels.map((panel) => (panel.id === id ? { ...panel, ...change } : panel)),
    columns,
    id,
  );

/** The first row below all panels. */
export const bottomOf = (panels: readonly Place[]): number => Math.max(0, ...panels.map(({ y, h }) => y + h));

const placeOf = ({ x, y, w, h }: Place): Place => ({ x, y, w, h });

function within({ x, y, w, h }: Place, columns: number): Place {
  const width = Math.min(columns, Math.max(MIN_WIDTH, w));
  return {
    w: width,
    h: Math.min(MAX_HEIGHT, Math.max(MIN_HEIGHT, h)),
    x: Math.min(columns - width, Math.max(0, x)),
    y: Math.max(0, y),
  };
}

const overlaps = (one: Place, other: Place): boolean =>
  one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h;

function below(place: Place, others: readonly Place[]): Place {
  let free = place;
  for (let hit = others.find((other) => overlaps(free, other)); hit; ) {
    free = { ...free, y: hit.y + hit.h };
    hit = others.find((other) => overlaps(free, other));
  }
  return free;
}

function risen(place: Place, others: readonly Place[]): Place {
  let free = place;
  while (free.y > 0) {
    const above = { ...free, y: free.y - 1 };
    if (others.some((other) => overlaps(above, other))) break;
    free = above;
  }
  return free;
}
