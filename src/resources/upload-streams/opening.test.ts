import { beforeAll, expect, it } from 'vitest';
import { onEachDatabase, outcome, refused } from '#test/support/suites.ts';
import {
  BYTES_TYPE,
  cancel,
  createTable,
  metadataHeader,
  offsetOf,
  opened,
  STREAMS,
  TUS,
} from '#test/support/uploads.ts';

onEachDatabase('Uploads', (subject) => {
  const { call } = subject;
  beforeAll(() => createTable(subject, 'web'));

  const invalid = (message: string) => refused(400, 'invalid-argument', message);
  const missing = (name: string) => refused(400, 'null-argument', `${name} should be not null`);

  it.each([
    [{}, missing('file_name')],
    [{ file_name: 'a'.repeat(256) }, invalid("'file_name' must be shorter than or equal to 255 characters.")],
    [{ file_name: '../a' }, invalid("'file_name' should be a file name without path.")],
    [{ file_name: 'a\\b' }, invalid("'file_name' should be a file name without path.")],
    [{ file_name: 'a' }, missing('file_size')],
    [{ file_name: 'a', file_size: 'x' }, invalid("'file_size' parameter should be long type")],
    [{ file_name: 'a', file_size: -1 }, invalid("'file_size' must be greater than or equal to 0.")],
    [{ file_name: 'a', file_size: 1 }, missing('metadata')],
    [
      { file_name: 'a', file_size: 1, metadata: 'x' },
      refused(400, 'invalid-param-type', 'metadata should be json type'),
    ],
    [
      { file_name: 'a', file_size: 1, metadata: [] },
      refused(400, 'invalid-param-type', 'metadata should be json type'),
    ],
    [{ file_name: 'a', file_size: 1, metadata: {} }, missing('metadata.table')],
    [
      { file_name: 'a', file_size: 1, metadata: { table: 'web', format: 'xml' } },
      invalid("metadata.format value must be one of 'ndjson', 'csv', 'text'."),
    ],
    [
      { file_name: 'a', file_size: 1, metadata: { table: 'web', x: 'y'.repeat(65_536) } },
      invalid("'metadata' must be shorter than or equal to 65536 bytes."),
    ],
    [
      { file_name: 'a', file_size: 1, metadata: { table: 'none' } },
      refused(500, 'illegal-state', 'table not found: none'),
    ],
    [
      { file_name: 'a', file_size: 68719476737, metadata: { table: 'none' } },
      refused(413, 'request-too-large', 'request body must be shorter than or equal to 68719476736 bytes.'),
    ],
  ])('are not opened with %j', async (json, refusal) => {
    expect(outcome(await call('POST', STREAMS, { json }))).toEqual(refusal);
  });

  it.each([
    [{ 'upload-length': '1' }, missing('file_name')],
    [{ 'upload-metadata': metadataHeader({ filename: 'a' }) }, missing('file_size')],
    [{ 'upload-metadata': metadataHeader({ filename: 'a' }), 'upload-defer-length': '1' }, missing('file_size')],
    [{ 'upload-metadata': metadataHeader({ filename: 'a' }), 'upload-length': '1' }, missing('metadata.table')],
    [{ 'upload-metadata': 'filename a b', 'upload-length': '1' }, invalid('malformed request')],
    [{ 'upload-metadata': 'filename !!', 'upload-length': '1' }, invalid('malformed request')],
    [{ 'upload-metadata': 'filename /w==', 'upload-length': '1' }, invalid('malformed request')],
    [{ 'tus-resumable': '0.2.2' }, refused(412, 'unsupported-version', 'Tus-Resumable should be 1.0.0')],
    [
      {
        'tus-resumable': '0.2.2',
        'upload-metadata': metadataHeader({ filename: 'a', table: 'web' }),
        'upload-length': '1',
      },
      refused(412, 'unsupported-version', 'Tus-Resumable should be 1.0.0'),
    ],
  ])('are not opened by tus with %j', async (headers, refusal) => {
    const answer = await call('POST', STREAMS, { headers: { ...TUS, ...headers } });
    expect(outcome(answer)).toEqual(refusal);
    expect(answer.headers.get('tus-resumable')).toBe('1.0.0');
    if (answer.status === 412) expect(answer.headers.get('tus-version')).toBe('1.0.0');
  });

  const OFFSET = { 'upload-offset': '0' };
  const TYPE = { 'content-type': BYTES_TYPE };
  it.each([
    [
      { ...OFFSET, 'content-type': 'text/plain' },
      refused(415, 'unsupported-media-type', 'unsupported content type: text/plain'),
    ],
    [
      { ...OFFSET, ...TYPE, 'content-encoding': 'gzip' },
      refused(415, 'unsupported-media-type', 'unsupported content type: gzip'),
    ],
    [{ ...OFFSET, ...TYPE }, missing('Tus-Resumable')],
    [
      { ...OFFSET, ...TYPE, 'tus-resumable': '2.0.0' },
      refused(412, 'unsupported-version', 'Tus-Resumable should be 1.0.0'),
    ],
    [{ ...TUS, ...TYPE }, missing('Upload-Offset')],
    [{ ...TUS, ...TYPE, 'upload-offset': 'x' }, invalid("'Upload-Offset' parameter should be long type")],
    [{ ...TUS, ...TYPE, 'upload-offset': '-1' }, invalid("'Upload-Offset' must be greater than or equal to 0.")],
    [{ ...TUS, ...TYPE, 'upload-offset': '1' }, refused(409, 'invalid-offset', 'upload offset should be 0')],
    [
      { ...TUS, ...TYPE, ...OFFSET },
      refused(413, 'request-too-large', 'request body must be shorter than or equal to 4 bytes.'),
    ],
  ])('take no bytes with %j', async (headers, refusal) => {
    const token = await opened(subject, { file_size: 4, metadata: { table: 'web' } });
    const path = `${STREAMS}/${token}`;
    expect(outcome(await call('PATCH', path, { key: null, headers, body: '12345' }))).toEqual(refusal);
    expect(await offsetOf(subject, token)).toBe(0);
    await cancel(subject, token);
  });
});
