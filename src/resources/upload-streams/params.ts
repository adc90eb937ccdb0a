// The parameters of upload streams, as form fields and as headers of the tus protocol.

import {
  malformedRequest,
  missing,
  notFileName,
  notOneOf,
  notToken,
  tooManyBytes,
  unsupportedVersion,
} from '#contract/errors.ts';
import { UPLOAD_FORMATS, type UploadFormat } from '#ingest/uploads/upload-decode.ts';
import { isGuid } from '#kernel/guid.ts';
import type { Json } from '#kernel/json/canonical-json.ts';
import { isWithinBytes } from '#kernel/json/json-size.ts';
import { isStorableText } from '#kernel/text/storable-text.ts';
import { described } from '#operations/described.ts';
import { charset } from '#operations/params/charset-param.ts';
import { asText, type JsonObject, json, members } from '#operations/params/json-params.ts';
import {
  anyText,
  codes,
  guid,
  inHeader,
  long,
  meaning,
  oneOf,
  orElse,
  required,
  single,
  text,
} from '#operations/params/params.ts';
import type { Headers } from '#operations/requests/body-params.ts';
import type { RawParams, RawValue } from '#operations/requests/raw-params.ts';
import { LOAD_MODES, type LoadMode } from '#queries/lookups/stored-lookups.ts';
import { TUS_VERSION } from './model.ts';

const MAX_METADATA_BYTES = 65_536;

/** Any text: an invalid token is not found. */
export const token = required(anyText, 'Token of the upload.');

export const guidToken = required(
  single({ type: 'string', format: 'uuid' }, (given, name) => {
    if (typeof given !== 'string' || !isGuid(given)) throw notToken(name);
    return given.toLowerCase();
  }),
  'Token of the upload.',
);

/** As `token`, in lower case. */
export const tokens = meaning(codes, { items: { type: 'string', format: 'uuid' } }, (given) =>
  given.map((one) => one.toLowerCase()),
);

/** Present for tus clients. */
export const tusVersion = described(
  inHeader(
    meaning(anyText, { enum: [TUS_VERSION] }, (value, name) => {
      if (value !== TUS_VERSION) throw unsupportedVersion(name, TUS_VERSION, 'tus-version');
      return value;
    }),
  ),
  'Version of the tus protocol that the client speaks.',
);

/** Only its presence counts. */
export const tusResumable = described(inHeader(anyText), 'Present where the client speaks tus.');

export const uploadOffset = inHeader(required(long, 'Bytes of the upload before those of this request.'));

const destination = members({
  table: described(anyText, 'Table that the records are for; required without `lookup`.', 'web'),
  lookup: described(guid, 'GUID of the lookup that the rows are for, in place of a table.'),
  mode: orElse(oneOf(LOAD_MODES), 'replace', 'Whether other rows of the lookup go or stay.'),
  format: orElse(oneOf(UPLOAD_FORMATS), 'ndjson', 'Format of the file; `text` not for a lookup.'),
  charset: described(
    charset,
    'Character set of the file; UTF-8 if absent, and UTF-16 if it begins with its mark.',
    'cp949',
  ),
});

/** Formats of rows of a lookup. */
const ROW_FORMATS = UPLOAD_FORMATS.filter((format) => format !== 'text');

interface Destination {
  /** Undefined for an upload into a lookup. */
  readonly table: string | undefined;
  readonly lookup: string | undefined;
  readonly mode: LoadMode;
  readonly format: UploadFormat;
  /** All that was given, as JSON. */
  readonly kept: string;
}

/** What else it has is kept with the upload. */
type SentMetadata = {
  readonly table?: string;
  readonly lookup?: string;
  readonly mode?: LoadMode;
  readonly format?: UploadFormat;
  readonly charset?: string;
} & JsonObject;

export const newStream = {
  file_name: required(
    meaning(
      text(255),
      { pattern: '^[^/\\\\]*$', $comment: 'Without a path; an ending `.gz` means gzip.' },
      (name, param) => {
        if (/[/\\]/.test(name)) throw notFileName(param);
        return name;
      },
    ),
    'Name of the file.',
  ),
  file_size: required(long, 'Bytes of the whole file.'),
  metadata: required(
    asText<Destination | undefined, SentMetadata>(
      json(
        {
          ...destination.schema,
          additionalProperties: true,
          $comment: 'Any other keys are kept.',
          examples: [{ table: 'web' }],
        },
        (value: Json, name, context) => {
          const { table, lookup, mode, format } = destination(value, name, context);
          if (table === undefined && lookup === undefined) throw missing(`${name}.table`);
          if (lookup !== undefined && format === 'text') throw notOneOf(`${name}.format`, ROW_FORMATS);
          // Checked before the write, which is slow for a large value.
          if (!isWithinBytes(value, MAX_METADATA_BYTES)) throw tooManyBytes(name, MAX_METADATA_BYTES);
          return { table: lookup === undefined ? table : undefined, lookup, mode, format, kept: JSON.stringify(value) };
        },
      ),
    ),
    'Destination of the records.',
  ),
};

/** The parameters of a tus client from its headers. */
export function paramsOfTus(headers: Headers): RawParams | undefined {
  if (headers['tus-resumable'] === undefined) return undefined;
  const { filename, ...metadata } = uploadMetadata(String(headers['upload-metadata'] ?? ''));
  const given: [string, RawValue | undefined][] = [
    ['file_name', filename],
    ['file_size', headers['upload-length'] as string | undefined],
    ['metadata', metadata],
  ];
  return new Map(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, [value]] as const])));
}

/** `key base64,key base64,key`: pairs separated by commas; values are optional. */
function uploadMetadata(header: string): Record<string, string> {
  const pairs = header
    .split(',')
    .map((pair) => pair.trim().split(/ +/))
    .filter(([key]) => key !== '');
  const keys = new Set(pairs.map(([key]) => key));
  if (keys.size < pairs.length || pairs.some((parts) => parts.length > 2)) throw malformedRequest();
  return Object.fromEntries(pairs.map(([key = '', value = '']) => [key, decodedValue(value)]));
}

function decodedValue(base64: string): string {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64').replace(/=+$/, '') !== base64.replace(/=+$/, '')) throw malformedRequest();
  try {
    const value = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (isStorableText(value)) return value;
  } catch {
    // Invalid UTF-8.
  }
  throw malformedRequest();
}
