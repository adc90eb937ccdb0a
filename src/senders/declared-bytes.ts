// The memory of a body that is decompressed by its decoder, known before it is.

import type { Content } from '#operations/endpoint.ts';
import type { SenderRequest } from './decoded.ts';
import type { Sender } from './sender.ts';
import { snappyLength } from './wire/snappy.ts';

/** What a body of Snappy becomes in memory; 0 where the decoder refuses it, or where there is none. */
export function declaredBytes(
  { takesSnappy }: Pick<Sender<unknown>, 'takesSnappy'>,
  { bytes, type }: Pick<Content, 'bytes' | 'type'>,
  { encoding, limits }: SenderRequest,
): number {
  if (!takesSnappy || (encoding !== 'snappy' && type === 'application/json')) return 0;
  const length = snappyLength(bytes) ?? 0;
  return length > limits.bodyBytes ? 0 : length;
}
