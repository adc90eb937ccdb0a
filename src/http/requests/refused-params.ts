// The parameters of a call that was refused before they were parsed, for its audit entry: those of the query string,
// and of the body as far as it has arrived. Nothing waits for more, and unreadable parts are left out.

import type { IncomingMessage } from 'node:http';
import type { Json } from '#kernel/json/canonical-json.ts';
import { endOfString } from '#kernel/json/json-members.ts';
import { parseJson } from '#kernel/json/parse-json.ts';
import { isStorableJson, isStorableText } from '#kernel/text/storable-text.ts';
import type { AnyEndpoint } from '#operations/endpoint.ts';
import { type Headers, mediaTypeOf } from '#operations/requests/body-params.ts';
import { NO_PARAMS, NumberText, type RawParams, type RawValue } from '#operations/requests/raw-params.ts';

const MAX_ARRIVED_BYTES = 8 * 1024;
/** Characters of a query string: an entry holds only a part of it. */
const MAX_QUERY_CHARACTERS = 64 * 1024;
/** The same depth as in a body that is parsed. */
const MAX_DEPTH = 100;

/** The first bytes of a body that have arrived; they stay in the stream. */
export function arrivedBytes(request: IncomingMessage): Buffer | undefined {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
  if ((length === '0' && encoding === undefined) || request.readableEnded || request.destroyed) return undefined;
  const chunk: Buffer | null = request.read();
  if (chunk === null) return undefined;
  // Immediately: a stream observed empty at its end would end.
  request.unshift(chunk);
  return chunk.subarray(0, MAX_ARRIVED_BYTES);
}

interface RefusedRequest {
  readonly url: string;
  readonly headers: Headers;
  readonly arrived: Buffer | undefined;
}

export function paramsOfRefused({ url, headers, arrived }: RefusedRequest, endpoint: AnyEndpoint): RawParams {
  const { method, params } = endpoint;
  const mark = url.indexOf('?');
  const query = mark === -1 ? NO_PARAMS : pairsIn(url.slice(mark + 1, mark + 1 + MAX_QUERY_CHARACTERS));
  const isInQuery = (name: string) => !['POST', 'PUT'].includes(method) || params[name]?.isInQuery === true;
  const body = arrived ? arrivedParams(headers, arrived) : NO_PARAMS;
  return new Map([...[...query].filter(([name]) => isInQuery(name)), ...body, ...inHeaders(headers, endpoint)]);
}

function inHeaders(headers: Headers, endpoint: AnyEndpoint): RawParams {
  try {
    return endpoint.givenInHeaders?.(headers) ?? NO_PARAMS;
  } catch {
    return NO_PARAMS;
  }
}

function arrivedParams(headers: Headers, arrived: Buffer): RawParams {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') return NO_PARAMS;
  // Undefined for text in an unsupported charset.
  const media = mediaTypeOf(headers);
  const text = arrived.toString('utf8').replace(/\ufffd+$/, '');
  if (media === 'application/x-www-form-urlencoded') return pairsIn(text);
  return media === 'application/json' ? membersIn(text) : NO_PARAMS;
}

/** Each pair is decoded by itself: the last may be cut inside of an escape, and a malformed pair affects no other. */
function pairsIn(text: string): RawParams {
  const rawParams = new Map<string, RawValue[]>();
  for (const pair of text.split('&')) {
    const whole = pair.replaceAll('+', ' ').replace(/%[0-9a-f]?$/i, '');
    const equals = whole.indexOf('=');
    const name = decoded(equals === -1 ? whole : whole.slice(0, equals));
    const value = equals === -1 ? '' : decoded(whole.slice(equals + 1));
    if (!name || value === undefined) continue;
    const values = rawParams.get(name);
    if (values) values.push(value);
    else rawParams.set(name, [value]);
  }
  return rawParams;
}

function decoded(text: string): string | undefined {
  try {
    const value = decodeURIComponent(text);
    return isStorableText(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The complete members. */
function membersIn(text: string): RawParams {
  const { deepest, end } = scan(text);
  if (deepest > MAX_DEPTH) return NO_PARAMS;
  const object = parsed(text) ?? parsed(`${text.slice(0, end)}}`);
  if (object === undefined) return NO_PARAMS;
  return new Map(
    Object.entries(object).flatMap(([name, value]) => {
      const raw = typeof value === 'number' ? new NumberText(String(value)) : value;
      return raw === null ? [] : [[name, [raw]] as const];
    }),
  );
}

function parsed(text: string): { readonly [name: string]: Json } | undefined {
  try {
    const value: Json = parseJson(text);
    const isObject = value !== null && typeof value === 'object' && !Array.isArray(value);
    // Array.isArray does not narrow a readonly array away.
    return isObject && isStorableJson(value, text) ? (value as { readonly [name: string]: Json }) : undefined;
  } catch {
    return undefined;
  }
}

/** Nesting depth of a text, and position of the last comma between members of the outermost object. */
function scan(text: string): { deepest: number; end: number } {
  let depth = 0;
  let deepest = 0;
  let end = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') index = endOfString(text, index);
    else if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth);
    else if (character === '}' || character === ']') depth -= 1;
    else if (character === ',' && depth === 1) end = index;
  }
  return { deepest, end };
}
