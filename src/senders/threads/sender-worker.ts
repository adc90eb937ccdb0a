// A thread that decodes the bodies of senders, see sender-threads.ts.

import { batchAnswer, buffersOfOffsets, KeptBuilders } from '#ingest/decode/batches/batch-answer.ts';
import { KeptBySource } from '#ingest/decode/batches/kept-by-source.ts';
import { KeptMatchers } from '#ingest/decode/batches/kept-matchers.ts';
import type { BatchAnswer } from '#ingest/decode/threads/decode-message.ts';
import { fileIn, linesIn, MAX_SLOT_BYTES } from '#ingest/decode/threads/decode-slots.ts';
import type { SlicedWork } from '#kernel/sliced-work.ts';
import { LineBatchBuilder } from '#logs/lines/line-batch-builder.ts';
import { answerOrders } from '#runtime/answer-orders.ts';
import { BodyRefused, type Decoded } from '#senders/decoded.ts';
import { LineTarget } from '#senders/records/line-target.ts';
import { SourceNames } from '#senders/records/member-offsets.ts';
import { senderNamed } from '#senders/senders.ts';
import type { FilingOrder, SenderAnswer, SenderOrder } from './sender-message.ts';

type Perform = <T>(work: SlicedWork<T>) => Promise<T>;

const sources = new KeptBySource<SourceNames>(({ names }) => names.isFull);
const builders = new KeptBuilders();
const matchers = new KeptMatchers();

answerOrders<SenderOrder, SenderAnswer>({
  async answer(order, { run }) {
    try {
      return await decode(order, run);
    } catch (error) {
      if (error instanceof BodyRefused) {
        return { refused: { fault: error.fault, item: error.item, detail: error.message } };
      }
      return { failure: new Error('not decoded', { cause: error }) };
    }
  },
  handedOver: (answer) => ('decoded' in answer ? buffersOf(answer) : []),
});

type DecodedBody = Pick<Extract<SenderAnswer, { decoded: object }>, 'decoded' | 'batch'>;

async function decode({ sender, body, request, filing }: SenderOrder, run: Perform): Promise<DecodedBody> {
  if (filing) return await decodeIntoSlot({ sender, body, request, filing }, run);
  const { buffer, byteOffset, length } = body as Uint8Array; // A body without such memory is handed over.
  return { decoded: await run(senderNamed(sender).decode(Buffer.from(buffer, byteOffset, length), request)) };
}

/** The file takes the place of the body, which is not needed any more then. */
async function decodeIntoSlot(
  { sender, body, request, filing }: Required<SenderOrder>,
  run: Perform,
): Promise<DecodedBody> {
  const { memory, source } = filing;
  const { value: names, serial } = sources.for(source, () => new SourceNames());
  const into = builders.take(() => new LineBatchBuilder());
  const target = new LineTarget(linesIn(memory, MAX_SLOT_BYTES), names, into);
  const bytes = fileIn(memory).subarray(0, Number(body));
  const decoded = await run(senderNamed(sender).decode(bytes, request, target));
  const made = batchOf(decoded, filing, { target, names, serial });
  builders.release(into);
  return { decoded, batch: made };
}

function batchOf(
  { groups }: Decoded,
  filing: FilingOrder,
  { target, names, serial }: { target: LineTarget; names: SourceNames; serial: number },
): BatchAnswer | undefined {
  const [only, ...others] = groups;
  const isForeseen = only?.name === filing.name && others.length === 0 && only?.lines.buffer === filing.memory;
  if (!(only && isForeseen && target.isWhole)) return undefined;
  const bytes = linesIn(filing.memory, only.lines.length);
  return batchAnswer(
    filing,
    { into: target.batch, bytes, fields: names.names.fields, serial, matchers },
    fileIn(filing.memory),
  );
}

/** Facts are copied: they are small, and may share memory. */
const buffersOf = ({ decoded: { groups, fates }, batch }: DecodedBody): ArrayBuffer[] => [
  ...new Set(
    [fates.buffer, ...groups.flatMap(({ lines, ends, items }) => [lines.buffer, ends.buffer, items.buffer])].filter(
      (buffer) => buffer instanceof ArrayBuffer,
    ),
  ),
  ...(batch ? buffersOfOffsets(batch) : []),
];
