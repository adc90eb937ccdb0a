// Events and raw lines of Splunk's HTTP Event Collector as records.

import type { SlicedWork } from '#kernel/sliced-work.ts';
import type { Decoded, SenderRequest } from '#senders/decoded.ts';
import type { LineTarget } from '#senders/records/line-target.ts';
import { HecEvents } from './events.ts';
import { decodeRaw } from './raw.ts';

export function* decodeSplunk(
  body: Buffer,
  request: SenderRequest,
  target?: LineTarget,
): SlicedWork<Decoded<undefined>> {
  const isRaw = request.route === 'raw';
  const lines = yield* isRaw ? decodeRaw(body, request, target) : new HecEvents(body, request, target).decode();
  return lines.decoded(undefined);
}
