// A thread that decodes pushed lines, see decode-threads.ts. Orders take turns, so that none waits long for another.

import { parentPort } from 'node:worker_threads';
import type { LogRecord } from '#engines/engine.ts';
import { eventLoop } from '#kernel/event-loop.ts';
import type { SlicedWork } from '#kernel/sliced-work.ts';
import {
  type DecodeAnswer,
  type DecodeCancel,
  type DecodeOrder,
  type DecodeResult,
  placesOf,
} from './decode-message.ts';
import { KeptScanners } from './kept-scanners.ts';
import { JsonRecords } from './line.ts';
import { type DecodedLines, decodeLines, LinesExceeded } from './line-decode.ts';

/** About a millisecond of work. */
const RUN_BYTES = 256 * 1024;

const scanners = new KeptScanners();
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

async function decode({ id, source, arrival, limits, bytes, known }: DecodeOrder): Promise<DecodeResult> {
  const { scanner, serial } = scanners.for(source, arrival.zone);
  const records = new JsonRecords(arrival, scanner);
  const lines = Buffer.from(bytes.buffer);
  const work = whileWanted(id, decodeLines(lines, { records, limits, runBytes: RUN_BYTES }));
  const { parts, ...sums } = await eventLoop.runInSlots(work);
  const fieldsFrom = known.serial === serial ? known.count : 0;
  return {
    accepted: sums.accepted,
    acceptedBytes: sums.acceptedBytes,
    rejected: sums.rejected,
    rejectedCount: sums.rejectedCount,
    rejectedBytes: sums.rejectedBytes,
    lines: sums.lines,
    bytes,
    places: placesOf(parts.filter((part) => 'count' in part)),
    sequence: sequenceOf(parts),
    serial,
    fields: scanner.fields.slice(fieldsFrom),
    fieldsFrom,
  };
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

const buffersOf = ({ bytes, places }: DecodeResult): ArrayBuffer[] => [
  bytes.buffer,
  ...Object.values(places).flatMap((place) => (typeof place === 'number' ? [] : [place.buffer as ArrayBuffer])), // Never shared.
];
