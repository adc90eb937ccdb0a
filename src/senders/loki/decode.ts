// Streams of Loki as records: JSON, or protobuf in a block of Snappy.

import type { SlicedWork } from '#kernel/sliced-work.ts';
import { BodyRefused, type Decoded, type SenderRequest } from '#senders/decoded.ts';
import type { LineTarget } from '#senders/records/line-target.ts';
import { MalformedText } from '#senders/wire/json-text.ts';
import { MalformedProtobuf } from '#senders/wire/protobuf-reader.ts';
import { decompressSnappy, MalformedSnappy, SnappyTooLong } from '#senders/wire/snappy.ts';
import { JsonStreams } from './json.ts';
import { ProtobufStreams } from './protobuf.ts';

export function* decodeLoki(body: Buffer, request: SenderRequest, target?: LineTarget): SlicedWork<Decoded<undefined>> {
  try {
    const lines = yield* streamsOf(body, request, target).decode();
    return lines.decoded(undefined);
  } catch (error) {
    if (error instanceof SnappyTooLong) throw new BodyRefused('too-long');
    const isMalformed =
      error instanceof MalformedText || error instanceof MalformedProtobuf || error instanceof MalformedSnappy;
    throw isMalformed ? new BodyRefused('malformed', { detail: error.message }) : error;
  }
}

/** Protobuf is always compressed, also where no encoding says so. */
function streamsOf(body: Buffer, request: SenderRequest, target?: LineTarget): JsonStreams | ProtobufStreams {
  const isJson = request.type === 'application/json';
  if (isJson && request.encoding === 'identity') return new JsonStreams(body, request, target);
  const bytes = decompressSnappy(body, request.limits.bodyBytes);
  return isJson ? new JsonStreams(bytes, request, target) : new ProtobufStreams(bytes, request, target);
}
