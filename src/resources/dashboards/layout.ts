// The layout of a dashboard: a grid of panels, each a query with its chart and its time range.

import { duplicatedMember, missing, tooManyItems, wrongDateRange } from '#contract/errors.ts';
import { fromStamp } from '#contract/times.ts';
import {
  arrayOf,
  choice,
  eitherOf,
  int32,
  map,
  optional,
  record,
  stamp,
  string,
  type TypeOf,
} from '#operations/answers/shapes.ts';
import { described } from '#operations/described.ts';
import { array, asText, json, map as mapParam, members, reading } from '#operations/params/json-params.ts';
import { anyText, int, meaning, oneOf, orElse, type Reader, required, text } from '#operations/params/params.ts';
import { time } from '#operations/params/time-params.ts';

export const CHARTS = ['table', 'number', 'line', 'area', 'bar', 'pie'] as const;

const MAX_COLUMNS = 24;
const MAX_PANELS = 100;
const MAX_ROWS = 10_000;
const MAX_HEIGHT = 100;
/** A hundred years. */
const MAX_SECONDS = 3_155_760_000;
const DAY_SECONDS = 86_400;
const COLUMNS = 12;

type Span = { readonly from: string; readonly to: string } | { readonly last: number };

/** Validated as a time, and kept as it is written. */
const timeText: Reader<string | undefined> = {
  ...time,
  read(given, name, context) {
    if (time.read(given, name, context) === undefined) return undefined;
    return anyText.read(given, name, context);
  },
};

const range = members({
  from: described(timeText, 'Begin of the range, with `to`.', '2024-03-01 09:00:00+0900'),
  to: described(timeText, 'End of the range.', '2024-03-02 09:00:00+0900'),
  last: described(
    int(1n, BigInt(MAX_SECONDS)),
    'Seconds before the moment of looking, in place of `from` and `to`.',
    3600,
  ),
});

const spanReader = reading(range, (value, name, context): Span => {
  const { from, to, last } = range(value, name, context);
  if (last !== undefined && from === undefined && to === undefined) return { last };
  if (from === undefined) throw missing(`${name}.from`);
  if (to === undefined) throw missing(`${name}.to`);
  const begin = fromStamp(from);
  const end = fromStamp(to);
  if (!begin || !end || Temporal.Instant.compare(begin, end) > 0) throw wrongDateRange();
  return { from, to };
});

const span = json(spanReader.schema, spanReader);

const panel = members({
  id: required(text(50), 'Identifier of the panel, unique in its dashboard.'),
  title: orElse(text(255), '', 'Title of the panel.'),
  query: required(anyText, 'Text of the query; it is not checked when the dashboard is written.'),
  chart: required(oneOf(CHARTS), 'Form in which the rows are shown.'),
  span: described(span, 'Time range of the panel; absent for that of the dashboard.'),
  x: required(int(0n, BigInt(MAX_COLUMNS - 1)), 'Column of the left edge.'),
  y: required(int(0n, BigInt(MAX_ROWS)), 'Row of the upper edge.'),
  w: required(int(1n, BigInt(MAX_COLUMNS)), 'Width in columns.'),
  h: required(int(1n, BigInt(MAX_HEIGHT)), 'Height in rows.'),
  options: described(mapParam, 'Values that a client stores with the panel.', { stacked: true }),
});

const panels = meaning(array({ maxItems: MAX_PANELS }, panel), {}, (given, name) => {
  if (given.length > MAX_PANELS) throw tooManyItems(name, MAX_PANELS);
  const seen = new Set<string>();
  for (const { id } of given) {
    if (seen.has(id)) throw duplicatedMember(name, id);
    seen.add(id);
  }
  return given;
});

const layout = members({
  columns: orElse(int(1n, BigInt(MAX_COLUMNS)), COLUMNS, 'Columns of the grid.'),
  span: orElse(span, { last: DAY_SECONDS }, 'Time range of all panels without one of their own.'),
  panels: orElse(panels, [], 'Panels, at most 100.'),
});

const EXAMPLE = {
  columns: COLUMNS,
  span: { last: DAY_SECONDS },
  panels: [
    {
      id: 'status',
      title: 'By status',
      query: 'table web | stats count by status',
      chart: 'bar',
      x: 0,
      y: 0,
      w: 6,
      h: 4,
    },
  ],
};

type ReadLayout = ReturnType<typeof layout>;

/** A client may send what it has read, and leave out what has a default. */
export const layoutParam = asText<ReadLayout | undefined, Partial<DashboardLayout>>(
  json({ ...layout.schema, examples: [EXAMPLE] }, layout),
);

const spanShape = eitherOf(
  record({
    from: stamp('Begin of the range.'),
    to: stamp('End of the range.'),
  }),
  record({ last: int32('Seconds before the moment of looking.', 3600) }),
);

export const layoutRecord = record('DashboardLayout', {
  columns: int32('Columns of the grid.', COLUMNS),
  span: spanShape('Time range of all panels without one of their own.', { last: DAY_SECONDS }),
  panels: arrayOf(
    record('DashboardPanel', {
      id: string('Identifier of the panel, unique in its dashboard.', 'status'),
      title: string('Title of the panel.', 'By status'),
      query: string('Text of the query.', 'table web | stats count by status'),
      chart: choice(CHARTS)('Form in which the rows are shown.', 'bar'),
      span: optional(spanShape('Time range of the panel; absent for that of the dashboard.', { last: 3600 })),
      x: int32('Column of the left edge.', 0),
      y: int32('Row of the upper edge.', 0),
      w: int32('Width in columns.', 6),
      h: int32('Height in rows.', 4),
      options: optional(map('Values that a client stores with the panel.', { stacked: true })),
    }),
  )('Panels of the dashboard.'),
});

export type DashboardLayout = TypeOf<typeof layoutRecord>;
