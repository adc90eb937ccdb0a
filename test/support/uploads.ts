// Uploads for tests: the operations of the resource, one function each.

import type { CallOptions, Reply, Service } from './service.ts';

type Caller = Pick<Service, 'call'>;
type Headers = Readonly<Record<string, string>>;

export const STREAMS = '/api/core/upload-streams';
export const TUS = { 'tus-resumable': '1.0.0' };
export const BYTES_TYPE = 'application/offset+octet-stream';

export async function createTable(service: Caller, table: string): Promise<void> {
  const answer = await service.call('POST', '/api/core/tables', { form: { table } });
  if (answer.status !== 200) throw new Error(`no table: ${answer.text}`);
}

export interface Opened {
  readonly file_name?: string;
  readonly file_size: number | string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The token of a stream that was opened with form fields. */
export async function opened(service: Caller, fields: Opened, options: CallOptions = {}): Promise<string> {
  const answer = await openWith(service, fields, options);
  if (answer.status !== 201) throw new Error(`not opened: ${answer.text}`);
  return answer.json.token;
}

export const openWith = (service: Caller, { file_name = 'logs', ...fields }: Opened, options: CallOptions = {}) =>
  service.call('POST', STREAMS, {
    ...options,
    form: { file_name, file_size: String(fields.file_size), metadata: JSON.stringify(fields.metadata) },
  });

/** As a tus client opens it. */
export const openByTus = (service: Caller, size: number, metadata: Headers, headers: Headers = {}) =>
  service.call('POST', STREAMS, {
    headers: { ...TUS, 'upload-length': String(size), 'upload-metadata': metadataHeader(metadata), ...headers },
  });

export const metadataHeader = (metadata: Headers): string =>
  Object.entries(metadata)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',');

export function append(
  service: Caller,
  token: string,
  { offset, body, headers = {} }: { offset: number | string; body: string | Uint8Array; headers?: Headers },
): Promise<Reply> {
  return service.call('PATCH', `${STREAMS}/${token}`, {
    key: null,
    body,
    headers: { ...TUS, 'upload-offset': String(offset), 'content-type': BYTES_TYPE, ...headers },
  });
}

export const probe = (service: Caller, token: string, headers: Headers = {}): Promise<Reply> =>
  service.call('HEAD', `${STREAMS}/${token}`, { key: null, headers: { ...TUS, ...headers } });

/** Where the stream is; undefined when it is gone. */
export async function offsetOf(service: Caller, token: string): Promise<number | undefined> {
  const { status, headers } = await probe(service, token);
  return status === 200 ? Number(headers.get('upload-offset')) : undefined;
}

export const complete = (service: Caller, token: string, options: CallOptions = {}): Promise<Reply> =>
  service.call('POST', `${STREAMS}/${token}/complete`, { key: null, ...options });

export const cancel = (service: Caller, token: string, options: CallOptions = {}): Promise<Reply> =>
  service.call('DELETE', `${STREAMS}/${token}`, { key: null, ...options });

/** Opens, sends and completes a whole file. */
export async function upload(
  service: Caller,
  body: string | Uint8Array,
  { file_name, metadata }: Omit<Opened, 'file_size'>,
): Promise<Reply> {
  const bytes = Buffer.from(body);
  const token = await opened(service, { ...(file_name ? { file_name } : {}), file_size: bytes.length, metadata });
  if (bytes.length > 0) await append(service, token, { offset: 0, body: bytes });
  return await complete(service, token);
}
