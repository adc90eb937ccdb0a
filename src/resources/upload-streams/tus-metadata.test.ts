import { beforeAll, describe, expect, it } from 'vitest';
import { outcome, refused, serviceFor } from '#test/support/suites.ts';
import { createTable, metadataHeader, openByTus, opened, probe, STREAMS, TUS } from '#test/support/uploads.ts';

describe('What tus says of an upload', () => {
  const subject = serviceFor();
  beforeAll(() => createTable(subject, 'web'));
  const openWithHeader = (metadata: string) =>
    subject.call('POST', STREAMS, { headers: { ...TUS, 'upload-length': '1', 'upload-metadata': metadata } });

  it('is told again to whoever asks how far it is', async () => {
    const metadata = { filename: '한글.csv', table: 'web', format: 'csv', origin: 'gw-1' };
    const { token } = (await openByTus(subject, 1, metadata)).json;
    expect((await probe(subject, token)).headers.get('upload-metadata')).toBe(metadataHeader(metadata));
    const bare = await openWithHeader('filename YQ==,table d2Vi,bare');
    const told = (await probe(subject, bare.json.token)).headers.get('upload-metadata');
    expect(told).toBe('filename YQ==,table d2Vi,bare');
    const form = await opened(subject, { file_size: 1, metadata: { table: 'web', depth: 1 } });
    expect((await probe(subject, form)).headers.get('upload-metadata')).toBeNull();
  });

  it('is said once', async () => {
    const malformed = refused(400, 'invalid-argument', 'malformed request');
    expect(outcome(await openWithHeader('filename YQ==,table d2Vi,filename Yg=='))).toEqual(malformed);
    expect(outcome(await openWithHeader('filename YQ==,table d2Vi,x,x'))).toEqual(malformed);
  });
});
