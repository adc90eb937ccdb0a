// All that a request gives to an operation: in its path, in the query string, in the body, in headers. Decoded in slices,
// so that a large one does not hold up others.

import { malformedRequest } from '#contract/errors.ts';
import { eventLoop } from '#kernel/event-loop.ts';
import { isStorableText } from '#kernel/storable-text.ts';
import { bodyParams, type Headers } from './body.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { normalizedNames } from './names.ts';
import {
  type DecodeOptions,
  type Decoding,
  givenInQuery,
  jsonTextWithin,
  MAX_TEXT_AT_ONCE,
  NO_PARAMS,
  parseRawParams,
  type RawParams,
  type RawValue,
} from './raw-params.ts';

interface GivingRequest {
  readonly url: string;
  readonly headers: Headers;
}

/** `values` is the setting `body-values`. */
export async function givensOf(
  request: GivingRequest,
  endpoint: AnyEndpoint,
  { body, values }: { body: Buffer; values: number },
): Promise<RawParams> {
  return await eventLoop.runInSlots(decodedParams(request, endpoint, body, values));
}

/** Parameters of the path come first. */
export function withPath(givens: RawParams, path: Readonly<Record<string, string>>): RawParams {
  const entries = Object.entries(path);
  if (entries.length === 0) return givens;
  const all = new Map<string, readonly RawValue[]>(givens);
  for (const [name, value] of entries) {
    if (!isStorableText(value)) throw malformedRequest();
    all.set(name, [value]);
  }
  return all;
}

function* decodedParams(request: GivingRequest, endpoint: AnyEndpoint, body: Buffer, values: number): Decoding {
  const options = { values, isKnown: (name: string) => Object.hasOwn(endpoint.params, name) };
  const outside = yield* outsideHeaders(request, endpoint, body, options);
  const givens = yield* withLongJson(outside, endpoint, values);
  const named = headersNamed(endpoint);
  if (named.length === 0) return givens;
  const all = new Map<string, readonly RawValue[]>(givens);
  for (const name of named) all.set(name, givenInHeader(request.headers[name.toLowerCase()]));
  return all;
}

function* outsideHeaders(
  { url, headers }: GivingRequest,
  endpoint: AnyEndpoint,
  body: Buffer,
  options: DecodeOptions,
): Decoding {
  const { method, params, rawBody } = endpoint;
  const mark = url.indexOf('?');
  const query = mark === -1 ? NO_PARAMS : yield* givenInQuery(url.slice(mark + 1), options);
  if (method === 'GET' || method === 'HEAD') return query;
  const inHeaders = endpoint.givenInHeaders?.(headers);
  const inBody = inHeaders || rawBody ? NO_PARAMS : yield* bodyParams(headers, body, options);
  const given = normalizedNames(inHeaders ?? inBody, params);
  if (method === 'DELETE') return new Map([...query, ...given]);
  const fromQuery = [...query].filter(([name]) => params[name]?.isInQuery);
  return fromQuery.length === 0 ? given : new Map([...fromQuery, ...given]);
}

/** JSON that is given as text is read here where it is long: readers do their work at once. */
function* withLongJson(givens: RawParams, { params }: AnyEndpoint, values: number): Decoding {
  const read = new Map<string, readonly RawValue[]>();
  for (const [name, given] of givens) {
    const [text, ...further] = given;
    if (!params[name]?.isJson || typeof text !== 'string' || further.length > 0) continue;
    if (text.length <= MAX_TEXT_AT_ONCE) continue;
    const value = yield* jsonTextWithin(text, values);
    const one = value === undefined ? undefined : parseRawParams(value);
    if (one !== undefined) read.set(name, [one]);
  }
  return read.size === 0 ? givens : new Map([...givens, ...read]);
}

/** Found once for each operation: most have none. */
const headerNames = new WeakMap<AnyEndpoint, readonly string[]>();

function headersNamed(endpoint: AnyEndpoint): readonly string[] {
  const known = headerNames.get(endpoint);
  if (known) return known;
  const names = Object.entries(endpoint.params).flatMap(([name, { isInHeader }]) => (isInHeader ? [name] : []));
  headerNames.set(endpoint, names);
  return names;
}

function givenInHeader(value: string | string[] | undefined): readonly RawValue[] {
  if (value === undefined) return [];
  const texts = Array.isArray(value) ? value : [value];
  if (!texts.every(isStorableText)) throw malformedRequest();
  return texts;
}
