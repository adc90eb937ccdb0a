// What a request accepts: the media types and encodings of its answer, by their weights after RFC 9110.

type Header = string | readonly string[] | undefined;

/** Browsers send 200 characters; a longer header must not cost more to read. */
const MAX_HEADER_LENGTH = 4096;
/** Data in place of a page, the most specific first. */
const DATA_TYPES = ['application/x-ndjson', 'application/json', 'application/*', '*/*'];

/** True for a client that prefers a page to data: a browser that opens an address. */
export function prefersHtml(accept: Header): boolean {
  const weights = weightsIn(accept);
  const data = DATA_TYPES.map((type) => weights.get(type)).find((weight) => weight !== undefined);
  return (weights.get('text/html') ?? 0) > (data ?? 0);
}

/** The first of `encodings` that the request accepts by name. */
export function acceptedEncoding<E extends string>(accepted: Header, encodings: readonly E[]): E | undefined {
  const weights = weightsIn(accepted);
  return encodings.find((encoding) => (weights.get(encoding) ?? 0) > 0);
}

const weightsIn = (header: Header): ReadonlyMap<string, number> =>
  new Map(
    String(header ?? '')
      .slice(0, MAX_HEADER_LENGTH)
      .split(',')
      .map(weightOf),
  );

function weightOf(part: string): [name: string, weight: number] {
  const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
  const weight = parameters.find((text) => text.startsWith('q='));
  return [name, weight === undefined ? 1 : Number(weight.slice(2))];
}
