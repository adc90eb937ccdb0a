// Bytes of any character set as UTF-8, decoded in slices of the event loop.

import { encodingOf, MARK_BYTES, type Transcoder, transcoderFor } from '#kernel/text/charset.ts';
import { yieldToEventLoop } from '#runtime/event-loop.ts';

/** The bytes as UTF-8. `label` is a known character set; the byte order mark of UTF-16 counts before it, if it is one of Unicode. */
export async function* asUtf8(bytes: AsyncIterable<Buffer>, label = 'utf-8'): AsyncGenerator<Buffer> {
  let transcoder: Transcoder | undefined;
  for await (const piece of withWholeMark(bytes)) {
    transcoder ??= transcoderFor(encodingOf(piece, label));
    for (const part of transcoder.push(piece)) {
      yield part;
      await yieldToEventLoop();
    }
  }
  if (transcoder) yield* transcoder.end();
}

/** The first piece holds the whole mark, unless all bytes are fewer. */
async function* withWholeMark(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer | undefined = Buffer.alloc(0);
  for await (const piece of bytes) {
    const joined: Buffer = held && held.length > 0 ? Buffer.concat([held, piece]) : piece;
    held = held && joined.length < MARK_BYTES ? joined : undefined;
    if (!held) yield joined;
  }
  if (held && held.length > 0) yield held;
}
