import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventData } from './event-stream.ts';

const read = async (...pieces: Uint8Array[]) => await Array.fromAsync(eventData(ReadableStream.from(pieces)));

const STREAM =
  ': hello\n\nevent: status\nid: 1\ndata: {"a":"김"}\n\n: still here\n\ndata: one\ndata:two\n\nid: 3\n\ndata: cut off';

describe('An event stream', () => {
  it('gives the data of its messages, in whatever pieces and with whatever line ends it comes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.array(fc.nat(STREAM.length * 2), { maxLength: 8 }),
        async (lineEnd, cuts) => {
          const bytes = Buffer.from(STREAM.replaceAll('\n', lineEnd));
          const offsets = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
          const pieces = offsets.slice(1).map((to, index) => bytes.subarray(offsets[index], to));
          expect(await read(...pieces)).toEqual(['{"a":"김"}', 'one\ntwo']);
        },
      ),
    );
  });
});
