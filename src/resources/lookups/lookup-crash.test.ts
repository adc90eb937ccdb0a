import { readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { makeHome } from '#test/support/process.ts';
import { send } from '#test/support/service.ts';

const CSV = { 'content-type': 'text/csv' };
const LOOKUPS = '/api/core/lookups';

describe('A service that is killed while it loads rows of a lookup', () => {
  it('has the rows of before or all of the new ones, and no file of others', async () => {
    using home = makeHome();
    const first = home.serve();
    const service = { url: await first.ready() };
    const caller = {
      call: (method: string, path: string, options = {}) => send(`${service.url}${path}`, method, options),
    };
    const guid = await created(caller, LOOKUPS, { name: 'hosts', key: 'ip', columns: 'ip,n' });
    const at = `${LOOKUPS}/${guid}/rows`;
    await caller.call('PUT', at, { body: 'ip,n\na,1\n', headers: CSV });
    const folder = join(home.folder, 'data', 'lookups');
    const rows = Array.from({ length: 200_000 }, (_, n) => `10.0.${n},${n}`).join('\n');
    // Killed as soon as the file of the new version is there; its metadata are written after it.
    const isWritten = new Promise<void>((done) => {
      const watcher = watch(folder, (_, name) => {
        if (!name?.endsWith('.parquet')) return;
        watcher.close();
        done();
      });
    });
    const loading = caller.call('PUT', at, { body: `ip,n\n${rows}\n`, headers: CSV }).catch(() => undefined);
    await isWritten;
    first.child.kill('SIGKILL');
    await Promise.all([first.exited(), loading]);
    expect(readdirSync(folder).length).toBeGreaterThan(1);
    service.url = await home.serve().ready();
    const { json } = await caller.call('GET', `${at}?limit=1`);
    expect([1, 200_000]).toContain(json.total_count);
    const { lookup } = (await caller.call('GET', `${LOOKUPS}/${guid}`)).json;
    expect(lookup.row_count).toBe(json.total_count);
    expect(readdirSync(folder)).toHaveLength(1);
  });
});
