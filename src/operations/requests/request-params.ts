// All parameters of a request: from its path, query string, body and headers. Decoded in slices, so that a large
// request does not block the main thread.

import { malformedRequest } from '#contract/errors.ts';
import { isStorableText } from '#kernel/text/storable-text.ts';
import type { AnyEndpoint } from '#operations/endpoint.ts';
import { normalizedNames } from '#operations/params/names.ts';
import { eventLoop } from '#runtime/event-loop.ts';
import { bodyParams, type Headers } from './body-params.ts';
import {
  type DecodeOptions,
  type Decoding,
  jsonTextWithin,
  MAX_TEXT_AT_ONCE,
  NO_PARAMS,
  parseQueryString,
  type RawParams,
  type RawValue,
  rawValueOf,
} from './raw-params.ts';

interface GivingRequest {
  readonly url: string;
  readonly headers: Headers;
}

/** `values` is the setting `body-values`. */
export async function rawParamsOf(
  request: GivingRequest,
  endpoint: AnyEndpoint,
  { body, values }: { body: Buffer; values: number },
): Promise<RawParams> {
  // Most requests that read have neither a query nor parameters in headers.
  if (!mayHaveBody(endpoint) && !request.url.includes('?') && headersNamed(endpoint).length === 0) return NO_PARAMS;
  return await eventLoop.runInSlots(decodedParams(request, endpoint, body, values));
}

const mayHaveBody = ({ method }: AnyEndpoint): boolean => method !== 'GET' && method !== 'HEAD';

/** Parameters of the path come first. */
export function withPath(rawParams: RawParams, path: Readonly<Record<string, string>>): RawParams {
  const entries = Object.entries(path);
  if (entries.length === 0) return rawParams;
  const all = new Map<string, readonly RawValue[]>(rawParams);
  for (const [name, value] of entries) {
    if (!isStorableText(value)) throw malformedRequest();
    all.set(name, [value]);
  }
  return all;
}

function* decodedParams(request: GivingRequest, endpoint: AnyEndpoint, body: Buffer, values: number): Decoding {
  const names = new Set(Object.keys(endpoint.params));
  const options = { values, isKnown: (name: string) => names.has(name) };
  const outside = yield* outsideHeaders(request, endpoint, body, options);
  const rawParams = yield* withLongJson(outside, endpoint, values);
  const named = headersNamed(endpoint);
  if (named.length === 0) return rawParams;
  const all = new Map<string, readonly RawValue[]>(rawParams);
  for (const name of named) all.set(name, givenInHeader(request.headers[name.toLowerCase()]));
  return all;
}

function* outsideHeaders(
  { url, headers }: GivingRequest,
  endpoint: AnyEndpoint,
  body: Buffer,
  options: DecodeOptions,
): Decoding {
  const { params, rawBody } = endpoint;
  const mark = url.indexOf('?');
  const query = mark === -1 ? NO_PARAMS : yield* parseQueryString(url.slice(mark + 1), options);
  if (!mayHaveBody(endpoint)) return query;
  const inHeaders = endpoint.givenInHeaders?.(headers);
  const inBody = inHeaders || rawBody ? NO_PARAMS : yield* bodyParams(headers, body, options);
  const raw = normalizedNames(inHeaders ?? inBody, params);
  if (endpoint.method === 'DELETE') return new Map([...query, ...raw]);
  const fromQuery = [...query].filter(([name]) => params[name]?.isInQuery);
  return fromQuery.length === 0 ? raw : new Map([...fromQuery, ...raw]);
}

/** Long JSON text is parsed here, in slices: readers parse at once. */
function* withLongJson(rawParams: RawParams, { params }: AnyEndpoint, values: number): Decoding {
  const read = new Map<string, readonly RawValue[]>();
  for (const [name, raw] of rawParams) {
    const [text, ...further] = raw;
    if (!params[name]?.isJson || typeof text !== 'string' || further.length > 0) continue;
    if (text.length <= MAX_TEXT_AT_ONCE) continue;
    const value = yield* jsonTextWithin(text, values);
    const one = value === undefined ? undefined : rawValueOf(value);
    if (one !== undefined) read.set(name, [one]);
  }
  return read.size === 0 ? rawParams : new Map([...rawParams, ...read]);
}

/** Derived once per operation: most have none. */
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
