// `vigil verify-engine` against a real engine of ClickHouse: what it finds, what it leaves alone, and how it ends.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { type Dice, pick, seededDice, times } from '#kernel/dice.ts';
import { systemClock } from '#kernel/time/clock.ts';
import type { TableSpec } from '#logs/log-store.ts';
import { ClickhouseClient } from '#logs/stores/clickhouse/server/client.ts';
import { StatementFailed } from '#logs/stores/clickhouse/server/failures.ts';
import { WEIGHT } from '#query/plan-nodes/shared/condensed.ts';
import { runCli } from '#test/support/cli.ts';
import { type ClickhouseServer, logsUrl, startClickhouse } from '#test/support/clickhouse.ts';
import { makeClickhouseHome } from '#test/support/clickhouse-engine.ts';
import { record as recordText } from '#test/support/condition-generator.ts';
import { record, TIME } from '#test/support/engine-conformance/samples.ts';
import type { EngineHome } from '#test/support/engine-conformance/suite.ts';
import { freePort } from '#test/support/free-port.ts';
import { addressOf } from '#test/support/open-clickhouse.ts';
import { startStatementProxy } from '#test/support/statement-proxy.ts';

const EXECUTABLE = join(import.meta.dirname, '../../../bin/vigil.js');
const HOUR = 3_600_000;
const BATCH = 80;
const DAY_OF_TIME = '2026-11-15';

/** Records whose fields have one type each. */
const typedText = (dice: Dice): string =>
  JSON.stringify({ 사용자: pick(dice, ['김', '이', 'park']), n: dice.below(5), d: dice.below(9) / 4 });

const { reason } = inject('clickhouse');
// A cluster is two servers on one port.
const skip = reason || process.env.VIGIL_TEST_CLICKHOUSE;

describe.skipIf(skip)('vigil verify-engine', () => {
  const database = 'verified';
  let server: ClickhouseServer;
  let second: ClickhouseServer;
  let home: EngineHome;
  let ragged: TableSpec;
  let lines: TableSpec;
  beforeAll(async () => {
    server = await startClickhouse();
    second = await startClickhouse({ host: '127.0.0.2', port: Number(new URL(server.origin).port) });
    server.setCluster([
      [1, '127.0.0.1'],
      [2, '127.0.0.2'],
    ]);
    home = await makeClickhouseHome({ servers: [ofOneName(server), ofOneName(second)] });
    ragged = await filled('ragged', 'columnar', recordText);
    lines = await filled('lines', 'row', recordText);
    await filled('typed', 'columnar', typedText);
  });
  afterAll(async () => {
    await home?.[Symbol.asyncDispose]();
    for (const one of [server, second]) await one?.[Symbol.asyncDispose]();
  });

  const ofOneName = (one: ClickhouseServer): ClickhouseServer => ({
    ...one,
    async createDatabase() {
      await one.ask(`create database ${database}`);
      return database;
    },
  });

  /** Records of three days that are not in the order of their times. Some of them are of an upload that is not committed. */
  async function filled(name: string, layout: TableSpec['layout'], text: (dice: Dice) => string): Promise<TableSpec> {
    const table = await home.createTable({ name, layout, compression: 'snappy' });
    const dice = seededDice(name.length);
    const some = () => times(BATCH, () => record(text(dice), TIME - dice.below(50) * HOUR));
    for (let batch = 0; batch < 4; batch += 1) await home.engine.append(table, some());
    await (await home.engine.stage(table)).add(some());
    return table;
  }

  const urlOf = ({ origin }: { readonly origin: string }, name = database) => logsUrl([{ ...server, origin }], name);
  const verify = (args: readonly string[], environment = {}) => runCli(['verify-engine', ...args], { environment });

  /** All databases, tables, columns and records; parts are merged at any time. */
  async function stateOfServer(): Promise<string[][]> {
    const columns = await server.ask(
      "select database, table, name, type, comment from system.columns where database != 'system' order by all",
    );
    const tables = [...new Set(columns.filter(([one]) => one === database).map(([, table]) => table))];
    const records = tables.map((table) =>
      server.ask(`select count(), groupBitXor(cityHash64(toString(tuple(*)))) from ${database}.${table}`),
    );
    return [...(await server.ask('show databases')), ...columns, ...(await Promise.all(records)).flat()];
  }

  it('finds all answers equal over ragged records, by statements that only read', async () => {
    await using proxy = await startStatementProxy(server.origin);
    const before = await stateOfServer();
    const { exitCode, stdout, stderr } = await verify([urlOf(proxy), '--minutes', '0.1', '--json']);
    const report = JSON.parse(stdout);
    expect({ report, stderr }).toMatchObject({
      report: { equal: true, disagreements: [], tables: ['lines', 'ragged', 'typed'], left_out: [], unanswered: 0 },
      stderr: '',
    });
    expect(exitCode).toBe(0);
    expect(report.pipelines).toBeGreaterThan(0);
    expect(report.records).toBeGreaterThan(0);
    expect(proxy.sent.filter(({ settings }) => settings.get('readonly') !== '2')).toEqual([]);
    expect(proxy.sent.length).toBeGreaterThan(report.pipelines);
    expect(await stateOfServer()).toEqual(before);
  });

  it('sends nothing that could change something: the server refuses that', async () => {
    const client = new ClickhouseClient({ clock: systemClock, address: addressOf(server, database) }).within({
      readonly: 2,
    });
    const dropping = client.execute(`drop table t_${ragged.id}`);
    await expect(dropping).rejects.toSatisfy((error) => error instanceof StatementFailed && error.code === 164);
    await client.close();
  });

  it('is not disturbed by records that arrive and days that are removed meanwhile', async () => {
    const table = await filled('busy', 'columnar', recordText);
    const over = new AbortController();
    const dice = seededDice(7);
    const writing = (async () => {
      for (let round = 0; !over.signal.aborted; round += 1) {
        const time = TIME - dice.below(50) * HOUR;
        // Its column is of whole numbers, until a fraction widens it.
        const wide = round < 5 ? round : round + 0.5;
        await home.engine.append(table, [record(recordText(dice), time), record(JSON.stringify({ wide }), time)]);
        if (round === 8) await home.engine.removeDays(table, DAY_OF_TIME, DAY_OF_TIME);
      }
    })();
    const { exitCode, stdout } = await verify([urlOf(server), '--table', 'busy', '--minutes', '0.05', '--json']);
    over.abort();
    await writing;
    expect(JSON.parse(stdout)).toMatchObject({ equal: true, tables: ['busy'], disagreements: [] });
    expect(exitCode).toBe(0);
  });

  it('reports a server that counts wrongly, in Korean, with the query and both answers', async () => {
    await using proxy = await startStatementProxy(server.origin);
    proxy.change((text) => text.replace(`count() as ${WEIGHT}`, `count() + 1 as ${WEIGHT}`));
    const args = [urlOf(proxy), '--table', 'typed', '--minutes', '0.05'];
    const verifyOnce = () => verify(args, { LANG: 'ko_KR.UTF-8' });
    let { exitCode, stdout, stderr } = await verifyOnce();
    // On a slow machine a short run may not meet a pipeline that groups.
    for (let round = 0; round < 20 && exitCode === 0; round += 1) ({ exitCode, stdout, stderr } = await verifyOnce());
    expect(stderr).toBe('');
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^답 \d+개 중 \d+개가 다릅니다\.\n/);
    const [, shown = ''] = /\n불일치 1, 시간대 \S+:\n(.*?)(?:\n\n|$)/s.exec(stdout) ?? [];
    expect(shown).toMatch(/^ {2}(table|fulltext) .*\n {2}노드 단독, 행 \d+개:\n.* {2}ClickHouse와 함께, 행 \d+개:\n/s);
    expect(shown).toContain(`count() as ${WEIGHT}`);
    expect(stdout).not.toContain(server.password);
  });

  it('names the pipelines that a limit has ended, and asks for no more time than the account may have', async () => {
    await using proxy = await startStatementProxy(server.origin);
    const slow = `select throwIf(1, 'slow', toInt16(159)) settings allow_custom_error_code_in_throwif = 1 format Parquet`;
    proxy.change((text) => {
      if (text.includes(` as ${WEIGHT}`)) return slow;
      return text.replace('system.settings', `(select name, '7' as max from system.settings)`);
    });
    const args = [urlOf(proxy), '--table', 'typed', '--minutes', '0.05', '--logs-time', '9'];
    let { exitCode, stdout, stderr } = await verify(args);
    // On a slow machine a short run may not meet a pipeline that groups.
    for (let round = 0; round < 20 && exitCode === 0; round += 1) ({ exitCode, stdout, stderr } = await verify(args));
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: '' });
    const [, shown = ''] = /\nNot answered 1, time zone \S+, with ClickHouse:\n(.*?)(?:\n\n|$)/s.exec(stdout) ?? [];
    expect(shown).toMatch(
      /^ {2}(table|fulltext) .*\n {2}a statement on the log store took longer than logs-time allows/,
    );
    const times = proxy.sent.map(({ settings }) => settings.get('max_execution_time'));
    expect(new Set(times.filter((time) => time !== null))).toEqual(new Set(['7']));
  });

  it.each<[string, string, (given: { readonly empty: string; readonly port: number }) => readonly string[]]>([
    ['an address of nothing', 'does not answer', ({ port }) => [urlOf({ origin: `http://127.0.0.1:${port}` })]],
    ['a wrong password', 'refuses the user of the URL', () => [urlOf(server).replace(/:[^:@]*@/, ':hidden-one@')]],
    ['a database that is not there', 'no database', () => [urlOf(server, 'nowhere')]],
    ['a database without tables', 'no tables of Vigil', ({ empty }) => [urlOf(server, empty)]],
    ['a table that is not there', 'no table nothing', () => [urlOf(server), '--table', 'nothing']],
    ['an address that is none', 'URL must be', () => ['http://user:hidden-one@host/']],
    ['the embedded engine', 'URL must be', () => ['embedded']],
    ['no number of minutes', '--minutes must be', () => [urlOf(server), '--minutes', 'all']],
  ])('ends with 2 for %s', async (_, says, args) => {
    const given = { empty: await server.createDatabase(), port: await freePort() };
    const { exitCode, stdout, stderr } = await verify(args(given));
    expect(stderr).toContain(says);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).not.toMatch(/hidden-one|correct horse|correct%20horse/);
  });

  it('takes the password from a file, stops with Ctrl-C and leaves nothing behind', async () => {
    const folder = mkdtempSync(join(inject('folder'), 'verify-'));
    const passwordFile = `${folder}-password`;
    writeFileSync(passwordFile, `${server.password}\n`);
    await using proxy = await startStatementProxy(server.origin);
    const url = urlOf(proxy).replace(/:[^:@]*@/, '@');
    const args = [EXECUTABLE, 'verify-engine', url, '--logs-password-file', passwordFile];
    const child = spawn(process.execPath, args, {
      env: { PATH: process.env.PATH ?? '', TMPDIR: folder, LANG: 'C' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const closed = once(child, 'close');
    onTestFinished(() => void child.kill('SIGKILL'));
    const fetches = () => proxy.sent.filter(({ text }) => text.endsWith('format Parquet')).length;
    const left = () => readdirSync(folder).filter((name) => name.startsWith('vigil-'));
    await expect.poll(fetches).toBeGreaterThan(2);
    proxy.hold(/format Parquet$/);
    const before = fetches();
    await expect.poll(fetches).toBeGreaterThan(before);
    expect(left()).toHaveLength(1);
    child.kill('SIGINT');
    await closed;
    expect(child.exitCode).toBe(130);
    expect(left()).toEqual([]);
    expect(proxy.sent.filter(({ settings }) => settings.get('readonly') !== '2')).toEqual([]);
    for (const one of [folder, passwordFile]) rmSync(one, { recursive: true });
  });

  it('reads all servers of a cluster, and leaves out a table that they tell different things of', async () => {
    await second.ask(`alter table ${database}.t_${lines.id} comment column _id 'not of Vigil'`);
    const url = logsUrl([server], database, '&cluster=main');
    const { exitCode, stdout } = await verify([url, '--minutes', '0.05', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      equal: true,
      disagreements: [],
      left_out: [`t_${lines.id}`],
      servers: [{ server: new URL(server.origin).host }, { server: new URL(second.origin).host }],
    });
    expect(exitCode).toBe(0);
  });
});
