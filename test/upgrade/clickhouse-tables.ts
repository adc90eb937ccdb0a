// The tables of a database on ClickHouse as files: the statement that creates each, and its rows in the format Native, which every
// server reads. Statements restore them under any name of the database.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClickhouseServer } from '#test/support/clickhouse.ts';

const CREATED = '.sql';
const ROWS = '.native';

interface LogDatabase {
  readonly server: ClickhouseServer;
  readonly database: string;
}

export async function dumpTables({ server, database }: LogDatabase, folder: string): Promise<void> {
  mkdirSync(folder);
  const tables = await server.ask(`select name from system.tables where database = '${database}'`);
  for (const [table = ''] of tables) {
    const name = `${database}.${table}`;
    const created = await send(server, {}, `show create table ${name} format TSVRaw`);
    writeFileSync(join(folder, `${table}${CREATED}`), created.toString().replace(name, table));
    writeFileSync(join(folder, `${table}${ROWS}`), await send(server, {}, `select * from ${name} format Native`));
  }
}

export async function restoreTables({ server, database }: LogDatabase, folder: string): Promise<void> {
  const tables = readdirSync(folder).filter((file) => file.endsWith(CREATED));
  for (const table of tables.map((file) => file.slice(0, -CREATED.length))) {
    await send(server, { database }, readFileSync(join(folder, `${table}${CREATED}`)));
    const query = `insert into ${table} format Native`;
    await send(server, { database, query }, readFileSync(join(folder, `${table}${ROWS}`)));
  }
}

async function send(
  { origin, user, password }: ClickhouseServer,
  params: Readonly<Record<string, string>>,
  body: string | Buffer<ArrayBuffer>,
): Promise<Buffer> {
  const headers = { 'x-clickhouse-user': user, 'x-clickhouse-key': password };
  const answer = await fetch(`${origin}/?${new URLSearchParams(params)}`, { method: 'POST', headers, body });
  const content = Buffer.from(await answer.arrayBuffer());
  if (!answer.ok) throw new Error(content.toString());
  return content;
}
