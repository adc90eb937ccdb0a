import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from '#test/support/accounts.ts';
import { type BreakingProxy, startProxy } from '#test/support/breaking-proxy.ts';
import { runCli } from '#test/support/cli.ts';
import { killHalfway } from '#test/support/killed-import.ts';
import { rowsOf } from '#test/support/logs.ts';
import { MASTER_KEY, type Service, startService } from '#test/support/service.ts';
import { outcome } from '#test/support/suites.ts';
import { createTable } from '#test/support/uploads.ts';

const LINES = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'vigil-dropped-'));
const path = join(folder, 'a.log');
writeFileSync(path, 'another line of the log\n'.repeat(LINES));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('An import that was broken off, and whose table was dropped meanwhile', () => {
  let service: Service;
  // By the real clock: what a killed import left open falls silent in real time.
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  const environmentOf = ({ url }: BreakingProxy, LANG = 'C') => ({
    VIGIL_URL: url,
    VIGIL_KEY: MASTER_KEY,
    XDG_STATE_HOME: folder,
    LANG,
  });
  const importing = (table: string) => ['import', path, '--table', table];
  const remembered = () => readdirSync(join(folder, 'vigil', 'imports')).length;
  const count = async (table: string) => (await rowsOf(service, `table ${table} | stats count`))[0].count;
  const drop = async (table: string) =>
    expect(outcome(await service.call('DELETE', `/api/core/tables/${table}`))).toEqual([200, {}]);

  /** Sent as a whole, and then refused for once. */
  async function breakOffAtTheEnd(table: string): Promise<BreakingProxy> {
    await createTable(service, table);
    const proxy = await startProxy(service.url, Number.POSITIVE_INFINITY);
    const refusal = { error_code: 'illegal-state', error_msg: `no space left: ${table}` };
    proxy.answerOnce('/complete', 'HTTP/1.1 500 Internal Server Error', refusal);
    expect((await runCli(importing(table), { environment: environmentOf(proxy) })).exitCode).toBe(1);
    expect(remembered()).toBe(1);
    return proxy;
  }

  async function breakOffHalfway(table: string): Promise<BreakingProxy> {
    await createTable(service, table);
    const proxy = await startProxy(service.url, Number.POSITIVE_INFINITY, 700_000);
    await killHalfway(service, importing(table), environmentOf(proxy));
    proxy.release();
    expect(remembered()).toBe(1);
    return proxy;
  }

  const ANEW = 'a.log: the table TABLE was dropped after the upload had begun: sending the file from the start\n';

  it.each([
    { where: 'halfway', breakOff: breakOffHalfway, sent: /^a\.log: resuming after [\d.]+ KiB of 1\.4 MiB\n/ },
    { where: 'at the end', breakOff: breakOffAtTheEnd, sent: /^a\.log: resuming after 1\.4 MiB of 1\.4 MiB\n/ },
  ])('begins anew when one of that name is there again, and says so: $where', async ({ where, breakOff, sent }) => {
    const table = where.replaceAll(' ', '_');
    await using proxy = await breakOff(table);
    await drop(table);
    await createTable(service, table);
    const { exitCode, stderr } = await runCli(importing(table), { environment: environmentOf(proxy) });
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(sent);
    expect(stderr.replace(sent, '')).toBe(ANEW.replace('TABLE', table));
    expect(await count(table)).toBe(LINES);
    expect(remembered()).toBe(0);
  });

  it('is imported anew where the earlier outcome is of a table that was dropped, or of another account', async () => {
    await createTable(service, 'again');
    const broken = join(folder, 'broken.gz');
    writeFileSync(broken, 'no gzip');
    const environment = { VIGIL_URL: service.url, VIGIL_KEY: MASTER_KEY, XDG_STATE_HOME: join(folder, 'again') };
    // One file that fails keeps the outcomes of the others, for the next attempt.
    const run = (files: readonly string[], more: Record<string, string> = {}) =>
      runCli(['import', ...files, '--table', 'again'], { environment: { ...environment, ...more } });
    expect((await run([path, broken])).exitCode).toBe(1);
    expect(await count('again')).toBe(LINES);
    await drop('again');
    await createTable(service, 'again');
    expect((await run([path, broken])).exitCode).toBe(1);
    expect(await count('again')).toBe(LINES);
    const { key } = await createAccount(service, 'ADMIN', { login: 'other' });
    expect((await run([path], { VIGIL_KEY: key })).exitCode).toBe(0);
    expect(await count('again')).toBe(2 * LINES);
    expect((await run([path])).exitCode).toBe(0);
    expect(await count('again')).toBe(2 * LINES);
  });

  it('says so in Korean where the terminal speaks it', async () => {
    await using proxy = await breakOffAtTheEnd('korean');
    await drop('korean');
    await createTable(service, 'korean');
    const { stderr } = await runCli(importing('korean'), { environment: environmentOf(proxy, 'ko_KR.UTF-8') });
    expect(stderr).toContain('업로드를 시작한 뒤 korean 테이블이 삭제되어 처음부터 다시 전송합니다\n');
  });

  it('is refused when there is none of that name, and goes by what is there the next time', async () => {
    await using proxy = await breakOffAtTheEnd('none');
    await drop('none');
    const { exitCode, stderr } = await runCli(importing('none'), { environment: environmentOf(proxy) });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/a\.log was not imported: table not found: none \(illegal-state\)\n$/);
    expect(stderr).not.toContain('sending it anew');
    expect(remembered()).toBe(0);
    await createTable(service, 'none');
    const again = await runCli(importing('none'), { environment: environmentOf(proxy) });
    expect([again.exitCode, again.stderr]).toEqual([0, '']);
    expect(await count('none')).toBe(LINES);
  });

  it('is not begun anew for any other refusal', async () => {
    await using proxy = await breakOffAtTheEnd('other');
    const refusal = { error_code: 'illegal-state', error_msg: 'table is closed: other' };
    proxy.answerOnce('/complete', 'HTTP/1.1 500 Internal Server Error', refusal);
    const { exitCode, stderr } = await runCli(importing('other'), { environment: environmentOf(proxy) });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/a\.log was not imported: table is closed: other \(illegal-state\)\n$/);
    expect(stderr).not.toContain('sending it anew');
    expect(remembered()).toBe(1);
    const again = await runCli(importing('other'), { environment: environmentOf(proxy) });
    expect(again.exitCode).toBe(0);
    expect(await count('other')).toBe(LINES);
  });
});
