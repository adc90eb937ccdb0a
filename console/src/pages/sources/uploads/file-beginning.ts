// The beginning of a file, decompressed where it is compressed.

export interface FileBeginning {
  readonly text: string;
  /** False where the file goes on. */
  readonly isWhole: boolean;
}

/** Enough for ten lines of most logs. */
const READ_BYTES = 65_536;
const GZIP = [0x1f, 0x8b];

export async function beginningOf(file: Blob): Promise<FileBeginning> {
  const first = new Uint8Array(await file.slice(0, GZIP.length).arrayBuffer());
  const isGzip = GZIP.every((byte, index) => first[index] === byte);
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const bytes of isGzip ? file.stream().pipeThrough(new DecompressionStream('gzip')) : file.stream()) {
    text += decoder.decode(bytes.subarray(0, READ_BYTES - size), { stream: true });
    size += bytes.length;
    // Leaving the loop ends the reading.
    if (size > READ_BYTES) return { text, isWhole: false };
  }
  return { text: text + decoder.decode(), isWhole: true };
}
