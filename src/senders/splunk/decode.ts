// Events and raw lines of Splunk's HTTP Event Collector as records. Nothing of a request is kept where a part of it cannot be.

import type { SlicedWork } from '#kernel/sliced-work.ts';
import type { Decoded, SenderRequest } from '#senders/decoded.ts';
import { HecEvents } from './events.ts';
import { decodeRaw } from './raw.ts';

export function* decodeSplunk(body: Buffer, request: SenderRequest): SlicedWork<Decoded<undefined>> {
  const lines = yield* request.route === 'raw' ? decodeRaw(body, request) : new HecEvents(body, request).decode();
  return lines.decoded(undefined);
}
