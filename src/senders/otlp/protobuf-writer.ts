// The few messages of protobuf that answers consist of.

/** Field of a whole number that is not negative; 0 is the default and left out. */
export const integerField = (field: number, value: number): Buffer =>
  value === 0 ? Buffer.alloc(0) : Buffer.concat([varint(field * 8), varint(value)]);

/** Field of a text or of a nested message; an empty one is left out. */
export function bytesField(field: number, content: string | Buffer): Buffer {
  const bytes = Buffer.from(content);
  if (bytes.length === 0) return bytes;
  return Buffer.concat([varint(field * 8 + 2), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) + 128);
  }
}
