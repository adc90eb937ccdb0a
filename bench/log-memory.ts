// How much memory the service needs while its data grows tenfold: it must not follow the data.

import { type Bench, ofRaggedLog, type Row } from './support/bench.ts';
import type { LogFill, MemorySample } from './support/log-fill.ts';
import { median } from './support/numbers.ts';
import { USUAL } from './support/shared-logs.ts';

/** Shares of the log; the first is the yardstick of the others. */
const POINTS = [0.1, 0.2, 0.4, 0.6, 0.8, 1];
const WINDOW = 0.05;
const FLAT = { of: 'ratio', is: 'at most', bound: 1.2 } as const;

export const logMemory: Bench = {
  name: 'log-memory',
  question: 'How does the resident memory of the service grow while its data grows tenfold under full load?',
  yardstick: 'the same service when it had taken a tenth of the log',
  aim: 'at most 1.2 times as much, at every point',

  async run({ logs, raggedLogs }) {
    const uniform = await logs.corpus();
    const ragged = await raggedLogs.corpus();
    const fill = await logs.filled(USUAL);
    const raggedFill = await raggedLogs.filled(USUAL);
    if (fill.samples.length === 0) return { rows: [], notes: ['The system does not tell the memory of a process.'] };
    return {
      rows: [...rowsOf(fill), ...ofRaggedLog(rowsOf(raggedFill))],
      notes: [uniform.about, ragged.about, ...NOTES],
    };
  },
};

const NOTES = [
  `VmRSS and RssAnon of the service, every 50 ms while ${USUAL.clients} clients push ${USUAL.recordsPerBatch.toLocaleString('en')} records a batch; a point is the median of the samples since a twentieth of the log before it.`,
  'The highest reading is of the whole load and of the time until all full generations were sealed, held against the highest up to the first point.',
];

function rowsOf({ samples, records }: LogFill): Row[] {
  const points = POINTS.map((share) => ({
    at: share * records,
    near: samplesAround(samples, share * records, WINDOW * records),
  }));
  const early = samples.filter((sample) => sample.records <= (POINTS[0] ?? 0) * records);
  const measures = [
    ['resident', ({ residentBytes }: MemorySample) => residentBytes / 1e6],
    ['anonymous', ({ anonymousBytes }: MemorySample) => anonymousBytes / 1e6],
  ] as const;
  return measures.flatMap(([name, of]) => {
    const [first = Number.NaN, ...later] = points.map(({ near }) => median(near.map(of)));
    const highest = (some: readonly MemorySample[]) => Math.max(...some.map(of));
    return [
      { what: `${name}, at ${label(points[0]?.at)}`, value: first, unit: 'MB' },
      ...later.map((value, index): Row => {
        const what = `${name}, at ${label(points[index + 1]?.at)}`;
        return { what, value, unit: 'MB', yardstick: first, aim: FLAT };
      }),
      { what: `${name}, highest`, value: highest(samples), unit: 'MB', yardstick: highest(early) },
    ];
  });
}

const label = (records = 0): string => `${Math.round(records).toLocaleString('en')} records`;

/** Those of the window before a point, or the nearest one where a short load left none. */
function samplesAround(samples: readonly MemorySample[], at: number, window: number): readonly MemorySample[] {
  const within = samples.filter(({ records }) => records > at - window && records <= at);
  if (within.length > 0) return within;
  return samples.toSorted((a, b) => Math.abs(a.records - at) - Math.abs(b.records - at)).slice(0, 1);
}
