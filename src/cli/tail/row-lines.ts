// The lines of an answer, one at a time: no page of rows is held in memory as a whole.

/** Without their line feeds. A line that the end of the stream has cut is none. */
export async function* rowLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let pieces: string[] = [];
  // The types of the decoder's stream and of fetch differ, the streams do not.
  for await (const text of body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)) {
    const [first = '', ...others] = text.split('\n');
    pieces.push(first);
    for (const other of others) {
      yield pieces.join('');
      pieces = [other];
    }
  }
}
