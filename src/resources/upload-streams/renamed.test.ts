import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { startApp } from '#app/app.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { client } from '#test/support/process-suite.ts';
import { MASTER_KEY, type Service, startService, type Wire } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';
import { append, createTable, opened, STREAMS } from '#test/support/uploads.ts';

/** The stream as a node of another name finds it, on the same folder. */
async function underAnotherName({ config }: Service, token: string): Promise<Wire> {
  const app = await startApp({ ...config, node: 'renamed' }, { masterKey: MASTER_KEY });
  try {
    return (await client(app.url).call('GET', `${STREAMS}/${token}`)).json.stream;
  } finally {
    await app.stop();
  }
}

function partIn({ config: { data } }: Service): string {
  const [name = ''] = readdirSync(data, { recursive: true, encoding: 'utf8' }).filter((one) => one.endsWith('.part'));
  return join(data, name);
}

async function begunUpload(service: Service): Promise<string> {
  await createTable(service, 'web');
  const token = await opened(service, { file_size: 2, metadata: { table: 'web' } });
  await append(service, token, { offset: 0, body: '{' });
  await service.stop();
  return token;
}

describe('Uploads of a node that has stopped', () => {
  it('are those of its new name where it gets another one', async () => {
    await using service = await startService();
    const token = await begunUpload(service);
    expect(await underAnotherName(service, token)).toMatchObject({ node: 'renamed', uploaded_size: 1 });
  });

  it('stay its own where a node starts on an older copy of its folder, which has fewer bytes', async () => {
    await using service = await startService();
    const token = await begunUpload(service);
    const part = partIn(service);
    const bytes = readFileSync(part);
    truncateSync(part, 0);
    expect(await underAnotherName(service, token)).toMatchObject({ node: 'vigil', uploaded_size: 1 });
    writeFileSync(part, bytes);
    await service.restart();
    const { json } = await service.call('GET', `${STREAMS}/${token}`);
    expect(json.stream).toMatchObject({ node: 'vigil', uploaded_size: 1 });
  });
});

it('Uploads of a node that is gone are taken over when their bytes are all here', async () => {
  const clock = new ManualClock('2026-11-15T03:00:00Z');
  await using service = await startService({ clock });
  await createTable(service, 'web');
  const begun = async () => {
    const token = await opened(service, { file_size: 2, metadata: { table: 'web' } });
    await append(service, token, { offset: 0, body: '{' });
    return token;
  };
  const cut = await begun();
  const whole = await begun();
  truncateSync(join(service.config.data, 'uploads', `${cut}.part`), 0);
  const metadata = new DatabaseSync(join(service.config.data, 'metadata.db'));
  metadata.exec("update upload_streams set node = 'gone'");
  const nodeOf = (token: string) =>
    metadata.prepare('select node from upload_streams where token = ?').get(token)?.node;
  clock.advance({ minutes: 1 });
  await until(
    async () => nodeOf(whole),
    (node) => node === 'vigil',
  );
  const nodes = [nodeOf(cut), nodeOf(whole)];
  metadata.close();
  expect(nodes).toEqual(['gone', 'vigil']);
});
