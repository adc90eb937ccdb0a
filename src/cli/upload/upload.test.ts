import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '#test/support/cli.ts';
import { MASTER_KEY, type Service, startService } from '#test/support/service.ts';
import { append, createTable, opened } from '#test/support/uploads.ts';

describe('vigil upload', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
    await createTable(service, 'web');
  });
  afterAll(() => service[Symbol.asyncDispose]());

  const vigil = (...args: string[]) =>
    runCli(['upload', ...args], { environment: { VIGIL_URL: service.url, VIGIL_KEY: MASTER_KEY } });

  it('lists what is in progress, and cancels it', async () => {
    const token = await opened(service, { file_name: 'a.log', file_size: 2048, metadata: { table: 'web' } });
    await append(service, token, { offset: 0, body: 'x'.repeat(1024) });
    const { stdout } = await vigil('list');
    const [titles = '', row = ''] = stdout.split('\n').map((line) => line.replaceAll(/ {2,}/g, '  '));
    expect(titles).toBe('FILE  INTO  ACCOUNT  UPLOADED  SIZE  CREATED  EXPIRES  TOKEN');
    expect(row).toMatch(new RegExp(`^a\\.log  web  master  1\\.0 KiB  2\\.0 KiB  .*  ${token}$`));
    const nowhere = '00000000-0000-4000-8000-000000000000';
    const cancelled = await vigil('cancel', token, nowhere);
    expect(cancelled.exitCode).toBe(1);
    expect(cancelled.stdout).toMatch(new RegExp(`^${token} +cancelled$`, 'm'));
    expect(cancelled.stdout).toMatch(new RegExp(`^${nowhere} +upload-stream-not-found$`, 'm'));
    expect(JSON.parse((await vigil('list', '--json')).stdout)).toEqual([]);
  });
});
