// Logs of OTLP/HTTP as records: protobuf and JSON say the same.

import type { SlicedWork } from '#kernel/sliced-work.ts';
import { BodyRefused, type Decoded, type SenderRequest } from '#senders/decoded.ts';
import type { LineTarget } from '#senders/records/line-target.ts';
import { MalformedText } from '#senders/wire/json-text.ts';
import { MalformedProtobuf } from '#senders/wire/protobuf-reader.ts';
import { JsonLogs } from './json.ts';
import { ProtobufLogs } from './protobuf.ts';

export function* decodeOtlp(body: Buffer, request: SenderRequest, target?: LineTarget): SlicedWork<Decoded<undefined>> {
  const Logs = request.type === 'application/json' ? JsonLogs : ProtobufLogs;
  const logs = new Logs(body, request, target);
  try {
    const lines = yield* logs.decode();
    return lines.decoded(undefined);
  } catch (error) {
    if (!(error instanceof MalformedProtobuf || error instanceof MalformedText)) throw error;
    throw new BodyRefused('malformed', { detail: error.message });
  }
}
