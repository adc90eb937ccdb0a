// The parameters of a call that was refused before they were read, for its audit entry: what the query string says, and
// what of the body had arrived by then. Nothing waits for more, and nothing here complains: what cannot be read is left out.

import type { IncomingMessage } from 'node:http';
import type { Json } from '#kernel/canonical-json.ts';
import { endOfString } from '#kernel/json-members.ts';
import { isStorableJson, isStorableText } from '#kernel/storable-text.ts';
import { type Headers, mediaTypeOf } from './body.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { NO_PARAMS, NumberText, type RawParams, type RawValue } from './raw-params.ts';

const MAX_ARRIVED_BYTES = 8 * 1024;
/** Of a query string: an entry keeps no more than a part of it anyway. */
const MAX_QUERY_CHARACTERS = 64 * 1024;
/** As in a body that is read. */
const MAX_DEPTH = 100;

/** The first bytes of a body that have come by now, left in their place for whoever reads it. */
export function arrivedBytes(request: IncomingMessage): Buffer | undefined {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
  if ((length === '0' && encoding === undefined) || request.readableEnded || request.destroyed) return undefined;
  const chunk: Buffer | null = request.read();
  if (chunk === null) return undefined;
  // At once: a stream that is seen empty at its end would be over.
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
  // Undefined where the text is in a charset that nobody here reads.
  const media = mediaTypeOf(headers);
  const text = arrived.toString('utf8').replace(/\ufffd+$/, '');
  if (media === 'application/x-www-form-urlencoded') return pairsIn(text);
  return media === 'application/json' ? membersIn(text) : NO_PARAMS;
}

/** Each pair by itself: the last may have been cut inside of an escape, and one that is wrong spoils no other. */
function pairsIn(text: string): RawParams {
  const givens = new Map<string, RawValue[]>();
  for (const pair of text.split('&')) {
    const whole = pair.replaceAll('+', ' ').replace(/%[0-9a-f]?$/i, '');
    const equals = whole.indexOf('=');
    const name = decoded(equals === -1 ? whole : whole.slice(0, equals));
    const value = equals === -1 ? '' : decoded(whole.slice(equals + 1));
    if (!name || value === undefined) continue;
    const values = givens.get(name);
    if (values) values.push(value);
    else givens.set(name, [value]);
  }
  return givens;
}

function decoded(text: string): string | undefined {
  try {
    const value = decodeURIComponent(text);
    return isStorableText(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The members that are whole. */
function membersIn(text: string): RawParams {
  const { deepest, end } = scanned(text);
  if (deepest > MAX_DEPTH) return NO_PARAMS;
  const object = parsed(text) ?? parsed(`${text.slice(0, end)}}`);
  if (object === undefined) return NO_PARAMS;
  return new Map(
    Object.entries(object).flatMap(([name, value]) => {
      const given = typeof value === 'number' ? new NumberText(String(value)) : value;
      return given === null ? [] : [[name, [given]] as const];
    }),
  );
}

function parsed(text: string): { readonly [name: string]: Json } | undefined {
  try {
    const value: Json = JSON.parse(text);
    const isObject = value !== null && typeof value === 'object' && !Array.isArray(value);
    // Array.isArray does not narrow a readonly array away.
    return isObject && isStorableJson(value, text) ? (value as { readonly [name: string]: Json }) : undefined;
  } catch {
    return undefined;
  }
}

/** How deep a text goes, and where the last comma between members of the outermost object is. */
function scanned(text: string): { deepest: number; end: number } {
  let [depth, deepest, end] = [0, 0, 0];
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') index = endOfString(text, index);
    else if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth);
    else if (character === '}' || character === ']') depth -= 1;
    else if (character === ',' && depth === 1) end = index;
  }
  return { deepest, end };
}
