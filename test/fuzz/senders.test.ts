// Throws generated and broken bodies at the readers of sender protocols: whatever comes, it is decoded to lines of JSON or
// refused. Valid bodies come from libraries that know nothing of us. VIGIL_FUZZ_INPUTS says how many.

import assert from 'node:assert/strict';
import protobuf from 'protobufjs';
import SnappyJS from 'snappyjs';
import { describe, expect, it } from 'vitest';
import type { Dice } from '#kernel/dice.ts';
import { runToEnd, type SlicedWork } from '#kernel/sliced-work.ts';
import { repairJson } from '#kernel/text/storable-text.ts';
import { BodyRefused, type Decoded, type SenderRequest } from '#senders/decoded.ts';
import { decodeElasticsearch } from '#senders/elasticsearch/decode.ts';
import { decodeLoki } from '#senders/loki/decode.ts';
import { decodeOtlp } from '#senders/otlp/decode.ts';
import type { LineTarget } from '#senders/records/line-target.ts';
import { decodeSplunk } from '#senders/splunk/decode.ts';
import { MalformedProtobuf, millisecondsIn, ProtobufReader } from '#senders/wire/protobuf-reader.ts';
import { decompressSnappy, MalformedSnappy, SnappyTooLong } from '#senders/wire/snappy.ts';
import { INPUTS, repeat } from '#test/support/fuzz-inputs.ts';
import { lokiBytes, otlpBytes } from '#test/support/protobuf-messages.ts';
import {
  bulkBody,
  eventsBody,
  lokiMessage,
  mutated,
  otlpMessage,
  randomBytes,
  spliced,
} from '#test/support/sender-bodies.ts';
import { requestOf } from '#test/support/sender-decoding.ts';
import { ComparedOffsets } from '#test/support/sender-offsets.ts';

describe('The reader of snappy', () => {
  it('gives what the compressor was given, and nothing else for a broken block', async () => {
    let broken = 0;
    await repeat((dice) => {
      const bytes = randomBytes(dice, 2000);
      const block = Buffer.from(SnappyJS.compress(bytes));
      assert(decompressSnappy(block, bytes.length).equals(bytes));
      const found = decompressed(mutated(dice, block));
      if (found === undefined) broken += 1;
    });
    expect(broken).toBeGreaterThan(INPUTS / 10);
  });
});

/** Undefined where the block is refused; any other error is a defect. */
function decompressed(block: Buffer): Buffer | undefined {
  try {
    return decompressSnappy(block, 100_000);
  } catch (error) {
    if (error instanceof MalformedSnappy || error instanceof SnappyTooLong) return undefined;
    throw error;
  }
}

describe('The reader of protobuf', () => {
  it('finds the fields and values that a writer has written', async () => {
    await repeat((dice) => {
      const { bytes, fields } = writtenFields(dice);
      assert.deepEqual(readFields(bytes), fields);
    });
  });

  it('ends with any bytes, and with nothing but an error of its own', async () => {
    await repeat((dice) => {
      try {
        readFields(randomBytes(dice, 300));
      } catch (error) {
        if (!(error instanceof MalformedProtobuf)) throw error;
      }
    });
  });

  it('divides nanoseconds exactly', async () => {
    await repeat((dice) => {
      const low = dice.below(2 ** 32);
      const high = dice.below(2 ** 32);
      const exact = ((BigInt(high) << 32n) | BigInt(low)) / 1_000_000n;
      assert.equal(millisecondsIn(low, high), Number(exact));
    });
  });
});

type FieldValue = readonly [field: number, value: bigint | string];

/** Fields of all types as protobufjs writes them. */
function writtenFields(dice: Dice): { readonly bytes: Buffer; readonly fields: readonly FieldValue[] } {
  const writer = protobuf.Writer.create();
  const fields: FieldValue[] = [];
  for (let count = dice.below(8); count > 0; count -= 1) {
    const field = 1 + dice.below(2 ** (1 + dice.below(29)) - 1);
    const value = ((BigInt(dice.below(2 ** 32)) << 32n) | BigInt(dice.below(2 ** 32))) >> BigInt(dice.below(64));
    const kind = dice.below(4);
    const text = randomBytes(dice, 300).toString('base64');
    const long = new protobuf.util.LongBits(Number(value & 0xffffffffn), Number(value >> 32n)).toLong(true);
    if (kind === 0) writer.uint32(field * 8).uint64(long);
    else if (kind === 1) writer.uint32(((field << 3) | 1) >>> 0).fixed64(long);
    else if (kind === 2) writer.uint32(((field << 3) | 2) >>> 0).string(text);
    else writer.uint32(((field << 3) | 5) >>> 0).fixed32(Number(value & 0xffffffffn));
    fields.push([field, kind === 2 ? text : kind === 3 ? value & 0xffffffffn : value]);
  }
  return { bytes: Buffer.from(writer.finish()), fields };
}

function readFields(bytes: Buffer): FieldValue[] {
  const reader = new ProtobufReader(bytes);
  const fields: FieldValue[] = [];
  while (reader.next()) {
    const { field, from, end, low, high } = reader;
    fields.push([field, reader.isBytes ? bytes.toString('utf8', from, end) : (BigInt(high) << 32n) | BigInt(low)]);
  }
  return fields;
}

type Decode = (body: Buffer, request: SenderRequest, target?: LineTarget) => SlicedWork<Decoded>;

const decoders: [name: string, decode: Decode, type: string, route: string, body: (dice: Dice) => Buffer][] = [
  ['OTLP as protobuf', decodeOtlp, 'application/x-protobuf', 'logs', (dice) => otlpBytes(otlpMessage(dice))],
  ['OTLP as JSON', decodeOtlp, 'application/json', 'logs', (dice) => Buffer.from(JSON.stringify(otlpMessage(dice)))],
  [
    'Loki as protobuf',
    decodeLoki,
    'application/x-protobuf',
    'push',
    (dice) => compressed(lokiBytes(lokiMessage(dice).protobuf)),
  ],
  [
    'Loki as JSON',
    decodeLoki,
    'application/json',
    'push',
    (dice) => Buffer.from(JSON.stringify(lokiMessage(dice).json)),
  ],
  ['bulk', decodeElasticsearch, 'application/x-ndjson', 'bulk', (dice) => Buffer.from(bulkBody(dice))],
  ['events', decodeSplunk, '', 'event', (dice) => Buffer.from(eventsBody(dice))],
  ['raw lines', decodeSplunk, '', 'raw', (dice) => Buffer.from(`x\n${eventsBody(dice)}`)],
];

const compressed = (bytes: Buffer): Buffer => Buffer.from(SnappyJS.compress(bytes));

describe.each(decoders)('The decoder of %s', (_name, decode, type, route, body) => {
  it('keeps every record of a valid body, and answers any other with lines or a refusal', async () => {
    const seen = { kept: 0, refused: 0 };
    await repeat((dice) => {
      const valid = body(dice);
      assert(checked(decode, valid, { type, route }));
      const isKept = checked(decode, mutated(dice, valid), { type, route });
      seen[isKept ? 'kept' : 'refused'] += 1;
      const limits = {
        bodyBytes: 64 * 1024 * 1024,
        bytes: 1 + dice.below(4000),
        lineBytes: 1 + dice.below(1000),
        items: 1 + dice.below(6),
      };
      checked(decode, spliced(dice, valid, body(dice)), { type, route, limits });
    });
    // Raw lines are text: hardly anything breaks them.
    if (route !== 'raw') expect(seen.refused).toBeGreaterThan(INPUTS / 20);
  });

  it('finds the places that the scanner of lines finds, where all records are plain', async () => {
    const offsets = new ComparedOffsets();
    await repeat((dice) => {
      const valid = body(dice);
      const limits = {
        bodyBytes: 64 * 1024 * 1024,
        bytes: 1 + dice.below(40_000),
        lineBytes: 1 + dice.below(10_000),
        items: 1 + dice.below(60),
      };
      offsets.compare(decode, valid, requestOf({ type, route }));
      offsets.compare(decode, mutated(dice, valid), requestOf({ type, route, limits }));
    });
    expect(offsets.found).toBeGreaterThan(INPUTS / 20);
  });
});

const repeatedText = (text: string, before = '', behind = '') => Buffer.from(before + text.repeat(10_000) + behind);
const repeatedBytes = (...bytes: readonly number[]) => Buffer.alloc(20_000, Buffer.from(bytes));
/** A message of protobuf in a field; its content is shorter than 2 MB. */
const holding = (tag: number, content: Buffer) =>
  Buffer.concat([
    Buffer.from([tag, (content.length % 128) + 128, (Math.floor(content.length / 128) % 128) + 128]),
    Buffer.from([Math.floor(content.length / 128 ** 2)]),
    content,
  ]);

const empties: [name: string, decode: Decode, parts: Partial<SenderRequest>, body: Buffer][] = [
  ['resources', decodeOtlp, {}, repeatedText('{},', '{"resourceLogs":[', '{}]}')],
  ['scopes', decodeOtlp, {}, repeatedText('{},', '{"resourceLogs":[{"scopeLogs":[', '{}]}]}')],
  ['resources as protobuf', decodeOtlp, { type: 'application/x-protobuf' }, repeatedBytes(0x0a, 0)],
  ['scopes as protobuf', decodeOtlp, { type: 'application/x-protobuf' }, holding(0x0a, repeatedBytes(0x12, 0))],
  ['streams', decodeLoki, {}, repeatedText('{},', '{"streams":[', '{}]}')],
  ['streams as protobuf', decodeLoki, { type: 'application/x-protobuf' }, compressed(repeatedBytes(0x0a, 0))],
  ['lines of bulk', decodeElasticsearch, {}, repeatedText('\n')],
  ['raw lines', decodeSplunk, { route: 'raw' }, repeatedText('\n')],
];

describe.each(empties)('Empty %s', (_name, decode, parts, body) => {
  it('are refused beyond as many as items: a few bytes of gzip stand for millions of them', () => {
    const limits = { bodyBytes: 64 * 1024 * 1024, bytes: 1e6, lineBytes: 1000, items: 9_999 };
    assert.throws(() => runToEnd(decode(body, requestOf({ ...parts, limits }))), { fault: 'too-many-items' });
  });
});

describe('Names of indexes', () => {
  it('are refused beyond as many as tables, and the answer has them cut', () => {
    const lines = (count: number, name: (at: number) => string) =>
      Buffer.from(Array.from({ length: count }, (_, at) => `{"delete":{"_index":"${name(at)}"}}\n`).join(''));
    const decode = (body: Buffer) => runToEnd(decodeElasticsearch(body, requestOf({ route: 'bulk' })));
    assert.throws(() => decode(lines(1001, (at) => `n${at}`)), { fault: 'too-many-names' });
    assert.deepEqual(decode(lines(2, () => 'x'.repeat(10_000))).facts.indexes, ['x'.repeat(255)]);
  });
});

describe('Both forms of a protocol', () => {
  it('become the same records', async () => {
    await repeat((dice) => {
      const otlp = otlpMessage(dice);
      assert.deepEqual(
        linesOf(decodeOtlp, otlpBytes(otlp), 'application/x-protobuf'),
        linesOf(decodeOtlp, Buffer.from(JSON.stringify(otlp)), 'application/json'),
      );
      const loki = lokiMessage(dice);
      assert.deepEqual(
        linesOf(decodeLoki, compressed(lokiBytes(loki.protobuf)), 'application/x-protobuf'),
        linesOf(decodeLoki, Buffer.from(JSON.stringify(loki.json)), 'application/json'),
      );
    });
  });
});

const linesOf = (decode: Decode, body: Buffer, type: string): string[] =>
  runToEnd(decode(body, requestOf({ type }))).groups.map(({ lines }) => Buffer.from(lines).toString());

/** Whether every item is kept; false where the body is refused or some items are. */
function checked(decode: Decode, body: Buffer, parts: Partial<SenderRequest>): boolean {
  let decoded: Decoded;
  try {
    decoded = runToEnd(decode(body, requestOf(parts)));
  } catch (error) {
    if (error instanceof BodyRefused) return false;
    throw error;
  }
  const { groups, fates, rejected } = decoded;
  const { limits } = requestOf(parts);
  assert(fates.length <= limits.items);
  assert(groups.reduce((sum, { lines }) => sum + lines.length, 0) <= limits.bytes);
  for (const { lines, ends, items } of groups) {
    const texts = Buffer.from(lines).toString().split('\n');
    assert.equal(texts.pop(), '');
    assert.equal(texts.length, items.length);
    assert.equal(ends.length, items.length);
    for (const text of texts) {
      assert.equal(typeof JSON.parse(repairJson(text))._time, 'number');
      assert(Buffer.byteLength(text) <= limits.lineBytes);
    }
  }
  const kept = groups.reduce((sum, { items }) => sum + items.length, 0);
  assert.equal(kept, fates.filter((fate) => fate === 0).length);
  assert.equal(rejected.count, fates.length - kept);
  return kept === fates.length;
}
