// The way of every push, whatever names its table: the body is decoded, its records are stored, then it is answered.

import type { Counts } from '#ingest/counts/counts.ts';
import { decode, type PushLimits } from '#ingest/decode/decode.ts';
import type { LineDecoder } from '#ingest/decode/line-decoder.ts';
import { REASONS } from '#ingest/decode/record.ts';
import type { Destination, Intake } from '#ingest/intake.ts';
import type { LogReader } from '#ingest/reading/reader.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { TableSpec } from '#logs/log-store.ts';
import { arrayOf, choice, int32, record, type TypeOf } from '#operations/answers/shapes.ts';
import type { Content } from '#operations/endpoint.ts';
import { releaseBytes } from '#runtime/release-bytes.ts';
import { type BodyFormat, formatOf } from './pushed-body.ts';

export const pushAnswer = record({
  accepted: int32('Number of records that are stored.', 2),
  rejected: arrayOf(
    record({ line: int32('Number of the line, from 1.', 3), reason: choice(REASONS)('Code of the reason.') }),
  )('The first rejected lines, as many as the setting `rejected-limit` allows.'),
  rejected_count: int32('Number of all rejected lines.', 1),
});

/** For the notes of every operation that takes a push. */
export const PUSH_NOTES =
  'The body is one JSON object per line, JSON texts after record separators (`application/json-seq`), a JSON array of ' +
  'objects or one object, or plain text with one log per line. Without a content type, or with that of forms, a body ' +
  'that begins with `{` is JSON lines, one that begins with `[` and is JSON as a whole is an array, and any other is ' +
  'text. `Content-Encoding` may be `gzip`, `deflate` or `zstd` (windows of up to 8 MiB). The answer is sent when every ' +
  'accepted record is durable. A bad line never affects others; the first 1,000 are named. Empty lines are no logs, but ' +
  'count as lines. Lines, and elements of an array, have at most 1 MiB.\n\n' +
  '`_time` is epoch milliseconds or time text, without an offset in the zone of the service, from year 1 to ' +
  '9999, cut to milliseconds; null counts as absent. `_id`, `_table`, `_node` and `_repaired` are dropped. Of a name ' +
  'given twice the last value counts. Whole numbers of any size keep their digits, fractions are doubles, -0 is 0. In a ' +
  'columnar table with more than 300 fields the others are stored in the overflow of their record and read like ' +
  'any field.\n\n' +
  'NUL, halves of surrogate pairs and bytes that are not UTF-8 become U+FFFD, in names too, and names of more than 1,024 ' +
  'bytes are cut; such a record has `_repaired` = true and is counted in `vigil_repaired_records_total`.\n\n' +
  'An `application/json` body that is no JSON as a whole is 400 `malformed request body`. A full disk is 500 `no space ' +
  'left: <table>`, or `no space left: metadata`, and nothing of the request is stored. An encrypted table without ' +
  'memory is 500 `no memory left: <table>`.';

/** Of a larger body nothing is read any more when it is stored: its lines were copied. */
const MAX_LEFT_BYTES = 64 * 1024;

/** The addressee of a push. */
export interface PushTarget {
  /** Names it for decoding: bodies of one source mostly have the same fields. */
  readonly source: string;
  /** The table that they go to, where there is one already. */
  readonly table?: TableSpec | undefined;
  readerFor(format: BodyFormat): Promise<LogReader>;
  /** Asked for once the body is decoded: nothing is made for a body that is refused. */
  destination(): Promise<Destination>;
  count(counts: Counts): void;
}

interface PushesDeps {
  readonly clock: Clock;
  readonly zone: string;
  readonly intake: Intake;
  readonly lineDecoder: LineDecoder;
  readonly limits: PushLimits;
}

export class Pushes {
  readonly #deps: PushesDeps;

  constructor(deps: PushesDeps) {
    this.#deps = deps;
  }

  /** Resolves when every accepted record is durable. Rejects where nothing of the body is kept. */
  async take(content: Content, target: PushTarget, gone: AbortSignal): Promise<TypeOf<typeof pushAnswer>> {
    const { clock, zone, intake, lineDecoder, limits } = this.#deps;
    const format = await formatOf(content, gone);
    const reader = await target.readerFor(format);
    const arrival = { at: clock.now().epochMilliseconds, zone };
    const hold = (bytes: number) => content.hold?.(bytes);
    const how = { source: target.source, table: target.table, reader, lineDecoder, arrival, limits, hold, gone };
    using batch = await decode(format, content.bytes, how);
    const counts = {
      logs: batch.accepted,
      volume: batch.acceptedBytes,
      drops: batch.rejectedCount,
      dropVolume: batch.rejectedBytes,
    };
    await intake.take(await target.destination(), batch, { gone, stored: () => target.count(counts) });
    if (content.bytes.length > MAX_LEFT_BYTES) releaseBytes(content.bytes);
    return { accepted: batch.accepted, rejected: batch.rejected, rejected_count: batch.rejectedCount };
  }
}
