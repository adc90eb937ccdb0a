// What the body of a push is, by its content type or, without one, by how it begins.

import { withoutMark } from '#ingest/decode/line.ts';
import { trimBlanks } from '#kernel/json/json-bytes.ts';
import { isJsonSliced } from '#kernel/json/sliced-json.ts';
import type { SlicedWork } from '#kernel/sliced-work.ts';
import { repairText } from '#kernel/text/storable-text.ts';
import type { Content, RawBody } from '#operations/endpoint.ts';
import { eventLoop } from '#runtime/event-loop.ts';

/** One JSON object per line; JSON texts after record separators (RFC 7464); an array or one object; lines of text. */
export type BodyFormat = 'lines' | 'sequence' | 'json' | 'text';

const FORMATS: Readonly<Record<string, BodyFormat>> = {
  'application/x-ndjson': 'lines',
  'application/ndjson': 'lines',
  'application/jsonl': 'lines',
  'application/stream+json': 'lines',
  'application/json-seq': 'sequence',
  'application/json': 'json',
  'text/plain': 'text',
};

export const PUSHED_BODY: RawBody = {
  types: Object.keys(FORMATS),
  // `curl -d` sends the type of forms, whatever the data is.
  mayBeUntyped: true,
  sample: '{"message":"hello"}',
};

const OPENING_BRACE = 0x7b;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;

/** Rejects with the reason of `gone`. */
export async function formatOf({ type, bytes }: Content, gone: AbortSignal): Promise<BodyFormat> {
  return FORMATS[type] ?? (await eventLoop.runInSlots(until(gone, recognize(withoutMark(bytes)))));
}

function* until<T>(gone: AbortSignal, work: SlicedWork<T>): SlicedWork<T> {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value;
    gone.throwIfAborted();
    yield;
  }
}

/** A line of text may begin with a bracket, so that an array counts as one only where the whole body is JSON. */
function* recognize(bytes: Buffer): SlicedWork<BodyFormat> {
  const { from, end } = yield* trimBlanks(bytes, 0, bytes.length);
  if (bytes[from] === OPENING_BRACE) return 'lines';
  const isBracketed = bytes[from] === OPENING_BRACKET && bytes[end - 1] === CLOSING_BRACKET;
  if (!isBracketed) return 'text';
  yield;
  // Read a byte to a letter, which is quicker and as safe: bytes that are no ASCII stand only inside of strings.
  const text = repairText(bytes.toString('latin1', from, end));
  yield;
  return (yield* isJsonSliced(text)) ? 'json' : 'text';
}
