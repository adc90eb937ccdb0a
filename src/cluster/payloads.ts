// How messages are divided into notices of the database.

/** PostgreSQL takes payloads below 8,000 bytes. */
const MAX_BYTES = 7500;

/** Lines in as few groups as fit into payloads, each behind `head`. A line that is longer than a payload is sent alone, and refused. */
export function* fittingLines<T>(
  head: string,
  lines: Iterable<T>,
  textOf: (line: T) => string,
): Generator<readonly T[]> {
  let fitting: T[] = [];
  let bytes = Buffer.byteLength(head);
  for (const line of lines) {
    const added = Buffer.byteLength(textOf(line)) + 1;
    if (fitting.length > 0 && bytes + added > MAX_BYTES) {
      yield fitting;
      fitting = [];
      bytes = Buffer.byteLength(head);
    }
    fitting.push(line);
    bytes += added;
  }
  if (fitting.length > 0) yield fitting;
}
