// A thread that decodes pushed lines, see decode-threads.ts.

import { parentPort } from 'node:worker_threads';
import { runToEnd } from '#kernel/sliced-work.ts';
import { type DecodeAnswer, type DecodeOrder, type DecodeResult, placesOf } from './decode-message.ts';
import { KeptScanners } from './kept-scanners.ts';
import { JsonRecords } from './line.ts';
import { decodeLines, LinesExceeded } from './line-decode.ts';

const scanners = new KeptScanners();

parentPort?.on('message', (order: DecodeOrder) => {
  const answer = answerTo(order);
  parentPort?.postMessage(answer, 'result' in answer ? buffersOf(answer.result) : []);
});

function answerTo(order: DecodeOrder): DecodeAnswer {
  try {
    return { id: order.id, result: decode(order) };
  } catch (error) {
    const failure = error instanceof LinesExceeded ? 'too-many-lines' : new Error('not decoded', { cause: error });
    return { id: order.id, failure };
  }
}

function decode({ source, arrival, limits, bytes, known }: DecodeOrder): DecodeResult {
  const { scanner, serial } = scanners.for(source, arrival.zone);
  const records = new JsonRecords(arrival, scanner);
  const lines = Buffer.from(bytes.buffer);
  const { parts, ...sums } = runToEnd(decodeLines(lines, { records, limits, runBytes: lines.length }));
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
    sequence: parts.map((part) => ('count' in part ? part.count : part)),
    serial,
    fields: scanner.fields.slice(fieldsFrom),
    fieldsFrom,
  };
}

const buffersOf = ({ bytes, places }: DecodeResult): ArrayBuffer[] => [
  bytes.buffer,
  ...Object.values(places).flatMap((place) => (typeof place === 'number' ? [] : [place.buffer as ArrayBuffer])), // Never shared.
];
