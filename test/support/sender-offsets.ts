// Compares the offsets of members that a decoder of a sender protocol finds with those that the scanner of lines finds.

import assert from 'node:assert/strict';
import { runToEnd, type SlicedWork } from '#kernel/sliced-work.ts';
import { type BatchOffsets, LineBatchBuilder } from '#logs/lines/line-batch-builder.ts';
import { LineScanner } from '#logs/lines/line-scanner.ts';
import type { LineBatch } from '#logs/log-store.ts';
import { BodyRefused, type Decoded, type SenderRequest } from '#senders/decoded.ts';
import { LineTarget } from '#senders/records/line-target.ts';
import { SourceNames } from '#senders/records/member-offsets.ts';

type Decode = (body: Buffer, request: SenderRequest, target?: LineTarget) => SlicedWork<Decoded>;

const MEMORY_BYTES = 64 * 1024;
/** Bodies that the names of a source are known for. */
const BODIES_PER_SOURCE = 50;

export class ComparedOffsets {
  /** Bodies whose offsets were found. */
  found = 0;
  #bodies = 0;
  #source = new SourceNames();
  readonly #memory = Buffer.alloc(MEMORY_BYTES);

  /** Throws where the offsets, or the decoded lines, are others than without them. */
  compare(decode: Decode, body: Buffer, request: SenderRequest): void {
    this.#bodies += 1;
    if (this.#bodies % BODIES_PER_SOURCE === 0) this.#source = new SourceNames();
    const target = new LineTarget(this.#memory, this.#source, new LineBatchBuilder());
    const expected = outcomeOf(() => runToEnd(decode(body, request)));
    const decoded = outcomeOf(() => runToEnd(decode(body, request, target)));
    assert.deepEqual(plain(decoded), plain(expected));
    if (typeof decoded === 'string' || !target.isWhole) return;
    const [{ lines } = assert.fail('a run without records'), ...others] = decoded.groups;
    assert.equal(others.length, 0);
    const bytes = Buffer.from(lines);
    const arrival = request.arrival.at;
    const lineBytes = { begin: 0, end: bytes.length, maxLineBytes: request.limits.lineBytes };
    const scanned = new LineScanner(request.arrival.zone).scan({ bytes, arrival, ...lineBytes });
    const { names } = this.#source;
    assert.deepEqual(named(target.batch.view(), names.fields), scanned && named(scanned, scanned.fields));
    this.found += 1;
  }
}

function outcomeOf(decode: () => Decoded): Decoded | string {
  try {
    return decode();
  } catch (error) {
    if (error instanceof BodyRefused) return `${error.fault} ${error.item} ${error.message}`;
    throw error;
  }
}

const plain = (outcome: Decoded | string) =>
  typeof outcome === 'string'
    ? outcome
    : {
        groups: outcome.groups.map(({ name, lines, items }) => [name, Buffer.from(lines).toString(), [...items]]),
        fates: [...outcome.fates],
      };

function named(batch: BatchOffsets, fields: LineBatch['fields']) {
  const { count, begins, ends, times, firstMembers, memberFields, memberBegins, memberValues, memberEnds } = batch;
  const last = firstMembers[count] ?? 0;
  return {
    lines: [...begins].map((begin, at) => [begin, ends[at], times[at], firstMembers[at]]),
    members: Array.from({ length: last }, (_, at) => [
      fields[memberFields[at] ?? 0],
      memberBegins[at],
      memberValues[at],
      memberEnds[at],
    ]),
  };
}
