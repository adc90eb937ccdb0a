// The parameters of a request body, by its content type.

import { unsupportedContent } from '#contract/errors.ts';
import { type Givens, givenInForm, givenInJson, NOTHING_GIVEN } from './given.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const DECODERS = new Map([
  ['application/x-www-form-urlencoded', givenInForm],
  ['application/json', givenInJson],
]);

export function bodyGivens(headers: Headers, body: Uint8Array | undefined): Givens {
  if (body === undefined || body.length === 0) return NOTHING_GIVEN;
  const encoding = String(headers['content-encoding'] ?? 'identity');
  if (encoding !== 'identity') throw unsupportedContent(encoding);
  const type = String(headers['content-type'] ?? '');
  const [media = '', ...attributes] = type.toLowerCase().split(';');
  const decode = DECODERS.get(media.trim());
  if (!decode || !attributes.every(isUtf8OrOther)) throw unsupportedContent(type);
  return decode(body);
}

/** Every body is UTF-8; a request that names another charset is not for us. */
function isUtf8OrOther(attribute: string): boolean {
  const [name = '', value = ''] = attribute.split('=');
  return name.trim() !== 'charset' || /^"?(utf-?8|us-ascii)"?$/.test(value.trim());
}
