// Reads the data of server-sent events.

const LINE_END = /\r\n|\n|\r(?!$)/;

export async function* eventData(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let held = '';
  let data: string[] = [];
  // The types of the decoder's stream and of fetch differ, the streams do not.
  for await (const text of body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)) {
    const lines = (held + text).split(LINE_END);
    held = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('data:')) data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
      if (line !== '' || data.length === 0) continue;
      yield data.join('\n');
      data = [];
    }
  }
}
