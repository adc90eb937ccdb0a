// A thread that decodes pushed lines, see decode-threads.ts. Orders take turns, so that none waits long for another.

import { parentPort } from 'node:worker_threads';
import type { LogRecord, RunFileFacts } from '#engines/engine.ts';
import { type LocatedRun, writeRunFile } from '#engines/parquet/run-file.ts';
import { eventLoop } from '#kernel/event-loop.ts';
import type { SlicedWork } from '#kernel/sliced-work.ts';
import type { DecodeAnswer, DecodeCancel, DecodeOrder, DecodeResult } from './decode-message.ts';
import { fileIn, linesIn } from './decode-slots.ts';
import { KeptScanners } from './kept-scanners.ts';
import { JsonRecords } from './line.ts';
import { type DecodedLines, decodeLines, LinesExceeded } from './line-decode.ts';
import { RunBuilder } from './run-builder.ts';

/** About a millisecond of work. */
const RUN_BYTES = 256 * 1024;

/** Builders that are used again, unless they are large. */
const [MAX_BUILDERS, MAX_KEPT_MEMBERS] = [2, 500_000];

const scanners = new KeptScanners();
const builders: RunBuilder[] = [];
/** Orders that are under way. */
const wanted = new Set<number>();

parentPort?.on('message', async (message: DecodeOrder | DecodeCancel) => {
  if ('cancelled' in message) {
    wanted.delete(message.cancelled);
    return;
  }
  wanted.add(message.id);
  const answer = await answerTo(message);
  if (wanted.delete(message.id)) parentPort?.postMessage(answer, 'result' in answer ? buffersOf(answer.result) : []);
});

async function answerTo(order: DecodeOrder): Promise<DecodeAnswer> {
  try {
    return { id: order.id, result: await decode(order) };
  } catch (error) {
    const failure = error instanceof LinesExceeded ? 'too-many-lines' : new Error('not decoded', { cause: error });
    return { id: order.id, failure };
  }
}

async function decode(order: DecodeOrder): Promise<DecodeResult> {
  const { id, source, arrival, limits, known } = order;
  const { scanner, serial } = scanners.for(source, arrival.zone);
  const records = new JsonRecords(arrival, scanner);
  const lines = linesOf(order);
  const into = builders.pop() ?? new RunBuilder();
  into.begin();
  const work = whileWanted(id, decodeLines(lines, { records, limits, runBytes: RUN_BYTES, into }));
  const { parts, ...sums } = await eventLoop.runInSlots(work);
  const isKnown = known.serial === serial;
  const sequence = sequenceOf(parts);
  const run = { ...into.view(), bytes: lines, fields: scanner.fields };
  const file = isKnown && sequence.length === 1 && run.count > 0 ? fileOf(order, run) : undefined;
  const places = file && !order.wantsPlaces ? undefined : into.places();
  if (builders.length < MAX_BUILDERS && run.memberFields.length < MAX_KEPT_MEMBERS) builders.push(into);
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

function* whileWanted<T>(id: number, work: SlicedWork<T>): SlicedWork<T> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (!wanted.has(id)) throw new Error('the order was cancelled');
    yield;
  }
}

const buffersOf = ({ handedBack, places }: DecodeResult): ArrayBuffer[] => [
  ...(handedBack ? [handedBack.buffer] : []),
  // Copies of places are never shared.
  ...Object.values(places ?? {}).flatMap((place) => (typeof place === 'number' ? [] : [place.buffer as ArrayBuffer])),
];
