// A thread that decodes pushed lines, see decode-threads.ts.

import { batchAnswer, buffersOfOffsets, KeptBuilders } from '#ingest/decode/batches/batch-answer.ts';
import { KeptBySource } from '#ingest/decode/batches/kept-by-source.ts';
import { KeptMatchers } from '#ingest/decode/batches/kept-matchers.ts';
import { JsonRecords } from '#ingest/decode/line.ts';
import { type DecodedLines, decodeLines, LinesExceeded } from '#ingest/decode/line-decode.ts';
import type { SlicedWork } from '#kernel/sliced-work.ts';
import { LineBatchBuilder } from '#logs/lines/line-batch-builder.ts';
import { LineScanner } from '#logs/lines/line-scanner.ts';
import type { LogRecord } from '#logs/log-store.ts';
import { answerOrders } from '#runtime/answer-orders.ts';
import { BATCH_BYTES, type DecodeAnswer, type DecodeOrder, type DecodeResult } from './decode-message.ts';
import { fileIn, linesIn } from './decode-slots.ts';

const scanners = new KeptBySource<LineScanner>(({ isFull }) => isFull);
const builders = new KeptBuilders();
const matchers = new KeptMatchers();
answerOrders<DecodeOrder, DecodeAnswer>({
  async answer(order, { run }) {
    try {
      return { result: await decode(order, run) };
    } catch (error) {
      const failure = error instanceof LinesExceeded ? 'too-many-lines' : new Error('not decoded', { cause: error });
      return { failure };
    }
  },
  handedOver: (answer) => ('result' in answer ? buffersOf(answer.result) : []),
});

async function decode(order: DecodeOrder, run: <T>(work: SlicedWork<T>) => Promise<T>): Promise<DecodeResult> {
  const { source, arrival, limits } = order;
  const { value: scanner, serial } = scanners.for(source, () => new LineScanner(arrival.zone));
  const records = new JsonRecords(arrival, scanner);
  const lines = linesOf(order);
  const into = builders.take(() => new LineBatchBuilder());
  into.begin();
  const { parts, ...sums } = await run(decodeLines(lines, { records, limits, batchBytes: BATCH_BYTES, into }));
  const sequence = sequenceOf(parts);
  const gathered = { into, bytes: lines, fields: scanner.fields, serial, matchers };
  const answer = batchAnswer(order, gathered, sequence.length === 1 ? fileOf(order) : undefined);
  builders.release(into);
  return {
    ...answer,
    accepted: sums.accepted,
    acceptedBytes: sums.acceptedBytes,
    rejected: sums.rejected,
    rejectedCount: sums.rejectedCount,
    rejectedBytes: sums.rejectedBytes,
    lines: sums.lines,
    handedBack: 'memory' in order.lines ? undefined : order.lines,
    sequence,
  };
}

const linesOf = ({ lines }: DecodeOrder): Buffer =>
  'memory' in lines ? linesIn(lines.memory, lines.bytes) : Buffer.from(lines.buffer, 0, lines.length);

/** Memory for a file of all records, beside their lines. */
const fileOf = ({ lines }: DecodeOrder): Buffer | undefined => ('memory' in lines ? fileIn(lines.memory) : undefined);

/** Batches that follow each other count as one. */
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

const buffersOf = (result: DecodeResult): ArrayBuffer[] => [
  ...(result.handedBack ? [result.handedBack.buffer] : []),
  ...buffersOfOffsets(result),
];
