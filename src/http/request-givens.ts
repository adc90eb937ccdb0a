// All that a request gives to an operation outside its path: in the query string, in the body, in headers.

import { malformedRequest } from '#contract/errors.ts';
import { isSoundText } from '#kernel/sound-text.ts';
import { bodyGivens, type Headers } from './body.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { type Given, type Givens, givenInQuery, NOTHING_GIVEN } from './given.ts';

interface GivingRequest {
  readonly url: string;
  readonly headers: Headers;
  readonly body: unknown;
}

export function givensOf(request: GivingRequest, endpoint: AnyEndpoint): Givens {
  const outside = outsideHeaders(request, endpoint);
  const named = headersNamed(endpoint);
  if (named.length === 0) return outside;
  const givens = new Map<string, readonly Given[]>(outside);
  for (const name of named) givens.set(name, givenInHeader(request.headers[name.toLowerCase()]));
  return givens;
}

function outsideHeaders({ url, headers, body }: GivingRequest, endpoint: AnyEndpoint): Givens {
  const { method, params, rawBody } = endpoint;
  const mark = url.indexOf('?');
  const query = mark === -1 ? NOTHING_GIVEN : givenInQuery(url.slice(mark + 1));
  if (method === 'GET' || method === 'HEAD') return query;
  // The scope of operations without a raw body hands on its bytes.
  const plain = () => (rawBody ? NOTHING_GIVEN : bodyGivens(headers, body as Buffer | undefined));
  const given = endpoint.givenInHeaders?.(headers) ?? plain();
  if (method === 'DELETE') return new Map([...query, ...given]);
  const fromQuery = [...query].filter(([name]) => Object.hasOwn(params, name) && params[name]?.isInQuery);
  return new Map([...fromQuery, ...given]);
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

function givenInHeader(value: string | string[] | undefined): readonly Given[] {
  if (value === undefined) return [];
  const texts = Array.isArray(value) ? value : [value];
  if (!texts.every(isSoundText)) throw malformedRequest();
  return texts;
}
