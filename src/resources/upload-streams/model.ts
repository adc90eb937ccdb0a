// The record of an upload stream, and its state.

import type { Caller } from '#access/caller.ts';
import { toStamp } from '#contract/times.ts';
import { NODE_NAME } from '#contract/values.ts';
import {
  arrayOf,
  choice,
  guidText,
  int64,
  map,
  orNull,
  record,
  type Shape,
  stamp,
  string,
  type TypeOf,
} from '#http/shapes.ts';
import type { Rejection } from '#ingest/decode.ts';
import type { PartOffset } from '#ingest/part-file.ts';
import { REASONS } from '#ingest/record.ts';
import type { UploadStreamRow } from '#store/schema.ts';

/** The company whose uploads an administrator sees and removes; undefined for all. */
export const companyOf = ({ role, companyGuid }: Caller): string | undefined =>
  role === 'MASTER' ? undefined : companyGuid;

export const TUS_VERSION = '1.0.0';
/** Header of every response to a tus client. */
export const TUS_MIRRORED = { 'tus-resumable': TUS_VERSION };

export const streamRecord = record('Upload', {
  token: guidText,
  remote_addr: string,
  login_name: string,
  file_name: string,
  file_size: int64,
  uploaded_size: int64,
  created: stamp,
  last_upload: orNull(stamp),
  expires_at: stamp,
  node: string,
  metadata: map,
});

/** The outcome of an upload: the response of its completion. */
export interface Outcome {
  readonly accepted: number;
  /** The first thousand rejected lines. */
  readonly rejected: readonly Rejection[];
  readonly rejected_count: number;
}

export const outcomeRecord: Shape<Outcome> = record({
  accepted: int64,
  rejected: arrayOf(record({ line: int64, reason: choice(REASONS) })),
  rejected_count: int64,
});

export function streamView(
  row: UploadStreamRow,
  { zone, idle }: { zone: string; idle: Temporal.Duration },
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
    node: NODE_NAME,
    metadata: JSON.parse(row.metadata),
  };
}

export const markOf = ({ uploaded_size, stored_size }: UploadStreamRow): PartOffset => ({
  offset: uploaded_size,
  storedBytes: stored_size,
});

export const isFullyUploaded = ({ uploaded_size, file_size }: UploadStreamRow): boolean => uploaded_size === file_size;

export const isGzip = ({ file_name }: Pick<UploadStreamRow, 'file_name'>): boolean => /\.gz$/i.test(file_name);

/** Value of `Upload-Expires`: an HTTP date. */
export const expiryOf = ({ touched_at }: Pick<UploadStreamRow, 'touched_at'>, idle: Temporal.Duration): string =>
  new Date(touched_at + idle.total('milliseconds')).toUTCString();

/** Value of `Upload-Metadata` for a tus client; undefined for other uploads. */
export function uploadMetadataOf({ completes_itself, file_name, metadata }: UploadStreamRow): string | undefined {
  if (completes_itself === 0) return undefined;
  const told: Record<string, string> = { filename: file_name, ...JSON.parse(metadata) };
  return Object.entries(told)
    .map(([key, value]) => (value === '' ? key : `${key} ${Buffer.from(value).toString('base64')}`))
    .join(',');
}

/** Tokens are GUIDs and case-insensitive. */
export const keyOf = (token: string): string => token.toLowerCase();
