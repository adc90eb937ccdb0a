// The record of an upload stream, and its state.

import type { Caller } from '#access/caller.ts';
import { wrongGzip } from '#contract/errors.ts';
import { toStamp } from '#contract/times.ts';
import { decompress } from '#files/gunzip.ts';
import { asUtf8 } from '#ingest/decode/as-utf8.ts';
import type { Rejection } from '#ingest/decode/line-decode.ts';
import { REASONS } from '#ingest/decode/record.ts';
import type { PartOffset } from '#ingest/uploads/part-file.ts';
import { parseJson } from '#kernel/json/parse-json.ts';
import { isCharset } from '#kernel/text/charset.ts';
import {
  arrayOf,
  choice,
  eitherOf,
  guidText,
  int32,
  int64,
  map,
  orNull,
  record,
  type Shape,
  stamp,
  string,
  type TypeOf,
} from '#operations/answers/shapes.ts';
import type { UploadStreamRow } from '#store/schema/schema.ts';

/** The company whose uploads an administrator sees and removes; undefined for all. */
export const companyOf = ({ role, companyGuid }: Caller): string | undefined =>
  role === 'MASTER' ? undefined : companyGuid;

export const TUS_VERSION = '1.0.0';
/** Header of every response to a tus client. */
export const TUS_MIRRORED = { 'tus-resumable': TUS_VERSION };

export const streamRecord = record('Upload', {
  token: guidText('Token that addresses the upload, usable from the address that opened it.'),
  remote_addr: string('Address that opened the upload.', '10.0.0.7'),
  login_name: string('Login name of the account that opened the upload.', 'kim'),
  file_name: string('Name of the file.', 'access.log.gz'),
  file_size: int64('Bytes of the whole file.', 1048576),
  uploaded_size: int64('Bytes that have arrived and are durable.', 524288),
  created: stamp('Time when the upload was opened.'),
  last_upload: orNull(stamp)('Time when the last bytes arrived; null before the first.'),
  expires_at: stamp('Time when the upload is removed unless it goes on.'),
  node: string('Name of the node that holds the upload.', 'node1'),
  metadata: map('Table, format and other values that the upload was opened with.', { table: 'web', format: 'ndjson' }),
});

/** The outcome of an upload: the response of its completion. */
export interface Outcome {
  readonly accepted: number;
  /** The first thousand rejected lines. */
  readonly rejected: readonly Rejection[];
  readonly rejected_count: number;
}

/** Kept in place of an outcome where the bytes can never be imported. */
export const REFUSED_GZIP = JSON.stringify({ refused: 'wrong gzip data' });

/** Of a completed upload; throws the refusal of one that could not be imported. */
export function outcomeOf({ outcome }: UploadStreamRow, token: string): Outcome | LoadedRows {
  if (outcome === REFUSED_GZIP) throw wrongGzip(token);
  return JSON.parse(outcome ?? '');
}

/** The outcome of an upload of rows of a lookup. */
export interface LoadedRows {
  readonly row_count: number;
  readonly version: number;
}

const loadedRows: Shape<LoadedRows> = record({
  row_count: int32('Number of rows of the lookup.', 2),
  version: int32('Version of the lookup, which this load has raised.', 1),
});

const importOutcome: Shape<Outcome> = record({
  accepted: int64('Number of records that are stored.', 2),
  rejected: arrayOf(
    record({ line: int64('Number of the line, from 1.', 3), reason: choice(REASONS)('Code of the reason.') }),
  )('The first rejected lines, as many as the setting `rejected-limit` allows.'),
  rejected_count: int64('Number of all rejected lines.', 1),
});

export const outcomeRecord: Shape<Outcome | LoadedRows> = eitherOf(importOutcome, loadedRows);

export function streamView(
  row: UploadStreamRow,
  { zone, idle, node }: { zone: string; idle: Temporal.Duration; node: string },
): TypeOf<typeof streamRecord> {
  const stampOf = (time: number) => toStamp(Temporal.Instant.fromEpochMilliseconds(time), zone);
  return {
    token: row.token,
    remote_addr: row.remote_addr,
    login_name: row.login_name,
    file_name: row.file_name,
    file_size: row.file_size,
    uploaded_size: row.uploaded_size,
    created: stampOf(row.created_at),
    last_upload: row.last_upload === null ? null : stampOf(row.last_upload),
    expires_at: stampOf(row.touched_at + idle.total('milliseconds')),
    node: row.node ?? node,
    metadata: parseJson(row.metadata),
  };
}

export const markOf = ({ uploaded_size, stored_size }: UploadStreamRow): PartOffset => ({
  offset: uploaded_size,
  storedBytes: stored_size,
});

export const isFullyUploaded = ({ uploaded_size, file_size }: UploadStreamRow): boolean => uploaded_size === file_size;

/** The uploaded bytes as the text that they hold, in UTF-8. */
export function textOf({ file_name, metadata }: UploadStreamRow, bytes: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const { charset }: { charset?: unknown } = parseJson(metadata);
  // Before the key had a meaning any value was kept.
  const label = typeof charset === 'string' && isCharset(charset) ? charset : undefined;
  return asUtf8(/\.gz$/i.test(file_name) ? decompress(bytes) : bytes, label);
}

/** Value of `Upload-Expires`: an HTTP date. */
export const expiryOf = ({ touched_at }: Pick<UploadStreamRow, 'touched_at'>, idle: Temporal.Duration): string =>
  new Date(touched_at + idle.total('milliseconds')).toUTCString();

/** Value of `Upload-Metadata` for a tus client; undefined for other uploads. */
export function uploadMetadataOf({ completes_itself, file_name, metadata }: UploadStreamRow): string | undefined {
  if (completes_itself === 0) return undefined;
  const told: Record<string, string> = { filename: file_name, ...parseJson(metadata) };
  return Object.entries(told)
    .map(([key, value]) => (value === '' ? key : `${key} ${Buffer.from(value).toString('base64')}`))
    .join(',');
}

/** Tokens are GUIDs and case-insensitive. */
export const keyOf = (token: string): string => token.toLowerCase();
