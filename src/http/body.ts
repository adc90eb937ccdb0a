// The parameters of a request body, by its content type.

import { unsupportedContent } from '#contract/errors.ts';
import { type Givens, givenInForm, givenInJson, NOTHING_GIVEN } from './given.ts';

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

const DECODERS = new Map([
  ['application/x-www-form-urlencoded', givenInForm],
  ['application/json', givenInJson],
]);

export function bodyGivens(headers: Headers, body: Uint8Array | undefined): Givens {
  if (body === undefined || body.length === 0) return NOTHING_GIVEN;
  const encoding = String(headers['content-encoding'] ?? 'identity');
  if (encoding !== 'identity') throw unsupportedContent(encoding);
  const decode = DECODERS.get(mediaTypeOf(headers) ?? '');
  if (!decode) throw unsupportedContent(String(headers['content-type'] ?? ''));
  return decode(body);
}

/** In lower case and without attributes; undefined when the body is in another charset than UTF-8. */
export function mediaTypeOf(headers: Headers): string | undefined {
  const [media = '', ...attributes] = String(headers['content-type'] ?? '')
    .toLowerCase()
    .split(';');
  return attributes.every(isUtf8OrOther) ? media.trim() : undefined;
}

/** Every body is UTF-8; a request that names another charset is not for us. */
function isUtf8OrOther(attribute: string): boolean {
  const [name = '', value = ''] = attribute.split('=');
  return name.trim() !== 'charset' || /^"?(utf-?8|us-ascii)"?$/.test(value.trim());
}
