// A thread that decodes pushed lines, see decode-threads.ts.

import type { LogRecord, RunFileFacts } from '#engines/engine.ts';
import { type LocatedRun, writeRunFile } from '#engines/parquet/run-file.ts';
import type { SlicedWork } from '#kernel/sliced-work.ts';
import { type DecodeAnswer, type DecodeOrder, type DecodeResult, RUN_BYTES } from './decode-message.ts';
import { fileIn, linesIn } from './decode-slots.ts';
import { KeptScanners } from './kept-scanners.ts';
import { JsonRecords } from './line.ts';
import { type DecodedLines, decodeLines, LinesExceeded } from './line-decode.ts';
import { answerOrders } from './order-worker.ts';
import { RunBuilder } from './run-builder.ts';

/** Builders that are used again, unless they are large. */
const [MAX_BUILDERS, MAX_KEPT_MEMBERS] = [2, 500_000];

const scanners = new KeptScanners();
const builders: RunBuilder[] = [];
answerOrders<DecodeOrder, DecodeAnswer>({
  async answerTo(order, run) {
    try {
      return { id: order.id, result: await decode(order, run) };
    } catch (error) {
      const failure = error instanceof LinesExceeded ? 'too-many-lines' : new Error('not decoded', { cause: error });
      return { id: order.id, failure };
    }
  },
  handedOver: (answer) => ('result' in answer ? buffersOf(answer.result) : []),
});

async function decode(order: DecodeOrder, run: <T>(work: SlicedWork<T>) => Promise<T>): Promise<DecodeResult> {
  const { source, arrival, limits, known } = order;
  const { scanner, serial } = scanners.for(source, arrival.zone);
  const records = new JsonRecords(arrival, scanner);
  const lines = linesOf(order);
  const into = builders.pop() ?? new RunBuilder();
  into.begin();
  const { parts, ...sums } = await run(decodeLines(lines, { records, limits, runBytes: RUN_BYTES, into }));
  const isKnown = known.serial === serial;
  const sequence = sequenceOf(parts);
  const located = { ...into.view(), bytes: lines, fields: scanner.fields };
  const file = isKnown && sequence.length === 1 && located.count > 0 ? fileOf(order, located) : undefined;
  const places = file && !order.wantsPlaces ? undefined : into.places();
  if (builders.length < MAX_BUILDERS && located.memberFields.length < MAX_KEPT_MEMBERS) builders.push(into);
  const fieldsFrom = isKnown ? known.count : 0;
  return {
    accepted: sums.accepted,
    acceptedBytes: sums.acceptedBytes,
    rejected: sums.rejected,
    rejectedCount: sums.rejectedCount,
    rejectedBytes: sums.rejectedBytes,
    lines: sums.lines,
    handedBack: 'memory' in order.lines ? undefined : order.lines,
    places,
    file,
    sequence,
    serial,
    fields: scanner.fields.slice(fieldsFrom),
    fieldsFrom,
  };
}

const linesOf = ({ lines }: DecodeOrder): Buffer =>
  'memory' in lines ? linesIn(lines.memory, lines.bytes) : Buffer.from(lines.buffer, 0, lines.length);

/** Of all records, beside their lines. */
function fileOf({ lines, numbers }: DecodeOrder, run: LocatedRun): RunFileFacts | undefined {
  return numbers && 'memory' in lines ? writeRunFile(run, numbers, fileIn(lines.memory)) : undefined;
}

/** Runs that follow each other count as one. */
function sequenceOf(parts: DecodedLines['parts']): (number | readonly LogRecord[])[] {
  const sequence: (number | readonly LogRecord[])[] = [];
  for (const part of parts) {
    const last = sequence.at(-1);
    if (!('count' in part)) sequence.push(part);
    else if (typeof last === 'number') sequence.splice(-1, 1, last + part.count);
    else sequence.push(part.count);
  }
  return sequence;
}

const buffersOf = ({ handedBack, places }: DecodeResult): ArrayBuffer[] => [
  ...(handedBack ? [handedBack.buffer] : []),
  // Copies of places are never shared.
  ...Object.values(places ?? {}).flatMap((place) => (typeof place === 'number' ? [] : [place.buffer as ArrayBuffer])),
];
