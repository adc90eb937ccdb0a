// The parameters of a request body, by its content type.

import { type DecodeOptions, type Decoding, NO_PARAMS, parseForm, parseJsonBody } from './raw-params.ts';

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

export const FORM_TYPE = 'application/x-www-form-urlencoded';

const DECODERS = new Map([
  [FORM_TYPE, parseForm],
  ['application/json', parseJsonBody],
]);

export const isParameterType = (headers: Headers): boolean => DECODERS.has(mediaTypeOf(headers) ?? '');

/** The content type must have been checked. */
export function* bodyParams(headers: Headers, body: Buffer, options: DecodeOptions): Decoding {
  const decode = DECODERS.get(mediaTypeOf(headers) ?? '');
  return body.length === 0 || !decode ? NO_PARAMS : yield* decode(body, options);
}

/** In lower case and without attributes; undefined for a charset other than UTF-8. */
export function mediaTypeOf(headers: Headers): string | undefined {
  const [media = '', ...attributes] = String(headers['content-type'] ?? '')
    .toLowerCase()
    .split(';');
  return attributes.every(isUtf8OrOther) ? media.trim() : undefined;
}

/** Every body is UTF-8; a request that names another charset is refused. */
function isUtf8OrOther(attribute: string): boolean {
  const [name = '', value = ''] = attribute.split('=');
  return name.trim() !== 'charset' || /^"?(utf-?8|us-ascii)"?$/.test(value.trim());
}
