// The parameters of a call that was refused before they were read, for its audit entry: what the query string says, and
// what of the body had arrived by then. Nothing waits for more, and nothing here complains: what cannot be read is left out.

import type { IncomingMessage } from 'node:http';
import { endOfString } from '#kernel/json-members.ts';
import { isSoundText } from '#kernel/sound-text.ts';
import { type Headers, mediaTypeOf } from './body.ts';
import type { AnyEndpoint } from './endpoint.ts';
import {
  type DecodeOptions,
  type Decoding,
  type Given,
  type Givens,
  givenInForm,
  givenInJson,
  givenInQuery,
  NOTHING_GIVEN,
} from './given.ts';

const ARRIVED_MOST_BYTES = 8 * 1024;

/** The first bytes of a body that have come by now, left in their place for whoever reads it. */
export function arrivedBytes(request: IncomingMessage): Buffer | undefined {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
  if ((length === '0' && encoding === undefined) || request.readableEnded || request.destroyed) return undefined;
  const chunk: Buffer | null = request.read();
  if (chunk === null) return undefined;
  // At once: a stream that is seen empty at its end would be over.
  request.unshift(chunk);
  return chunk.subarray(0, ARRIVED_MOST_BYTES);
}

interface RefusedRequest {
  readonly url: string;
  readonly headers: Headers;
  readonly arrived: Buffer | undefined;
}

export function givensOfRefused({ url, headers, arrived }: RefusedRequest, endpoint: AnyEndpoint): Givens {
  const { method, params } = endpoint;
  const options = { values: ARRIVED_MOST_BYTES, isKnown: (name: string) => Object.hasOwn(params, name) };
  const mark = url.indexOf('?');
  const query = mark === -1 ? NOTHING_GIVEN : orNothing(() => givenInQuery(url.slice(mark + 1), options));
  const isInQuery = (name: string) => !['POST', 'PUT'].includes(method) || params[name]?.isInQuery === true;
  const inHeaders = orNothing(() => endpoint.givenInHeaders?.(headers) ?? NOTHING_GIVEN);
  const body = arrived ? arrivedGivens(headers, arrived, options) : NOTHING_GIVEN;
  return new Map([...[...query].filter(([name]) => isInQuery(name)), ...body, ...inHeaders]);
}

function arrivedGivens(headers: Headers, arrived: Buffer, options: DecodeOptions): Givens {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') return NOTHING_GIVEN;
  // Undefined where the text is in a charset that nobody here reads.
  const media = mediaTypeOf(headers);
  if (media === 'application/x-www-form-urlencoded') return pairsIn(arrived, options);
  return media === 'application/json' ? membersIn(arrived, options) : NOTHING_GIVEN;
}

/** Each pair by itself: the last may have been cut inside of an escape, and one that is wrong spoils no other. */
function pairsIn(bytes: Buffer, options: DecodeOptions): Givens {
  const givens = new Map<string, Given[]>();
  for (const pair of bytes.toString('latin1').split('&')) {
    const whole = pair.replace(/%[0-9a-f]?$/i, '');
    for (const [name, values] of orNothing(() => givenInForm(Buffer.from(whole, 'latin1'), options))) {
      givens.set(name, [...(givens.get(name) ?? []), ...values]);
    }
  }
  return givens;
}

/** The members that are whole. */
function membersIn(bytes: Buffer, options: DecodeOptions): Givens {
  const text = bytes.toString('utf8').replace(/\ufffd+$/, '');
  if (!isSoundText(text)) return NOTHING_GIVEN;
  const whole = orNothing(() => givenInJson(Buffer.from(text), options));
  if (whole !== NOTHING_GIVEN) return whole;
  return orNothing(() => givenInJson(Buffer.from(`${text.slice(0, lastMemberEnd(text))}}`), options));
}

/** Where the last comma between members of the outermost object is. */
function lastMemberEnd(text: string): number {
  let depth = 0;
  let end = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') index = endOfString(text, index);
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    else if (character === ',' && depth === 1) end = index;
  }
  return end;
}

/** At once: there are a few kilobytes of it. */
function orNothing(read: () => Givens | Decoding): Givens {
  try {
    const reading = read();
    if (reading instanceof Map) return reading;
    for (;;) {
      const step = (reading as Decoding).next();
      if (step.done) return step.value;
    }
  } catch {
    return NOTHING_GIVEN;
  }
}
