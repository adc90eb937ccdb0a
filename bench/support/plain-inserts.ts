// The lines of a log as durable inserts of a ClickHouse server over HTTP, without a service before it.

import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { ClickhouseServer } from '#test/support/clickhouse.ts';
import { APPLICATION_TABLE, INSERT_SETTINGS, TABLE_ENGINE } from './clickhouse-table.ts';
import { requireSame } from './require-same.ts';

interface InsertOrder {
  /** NDJSON. */
  readonly file: string;
  readonly records: number;
  readonly batch: number;
  /** Each sends its next batch when it has its answer. */
  readonly clients: number;
}

/** Gives the seconds from the first insert to the last answer. */
export async function insertAll(server: ClickhouseServer, order: InsertOrder): Promise<number> {
  const database = await server.createDatabase();
  const table = `${database}.app`;
  await server.ask(`create table ${table} (${APPLICATION_TABLE}) ${TABLE_ENGINE}`);
  const batches = await batchesOf(order);
  const { origin, user, password } = server;
  const headers = { 'x-clickhouse-user': user, 'x-clickhouse-key': password };
  const insert = new URLSearchParams({ query: `insert into ${table} format JSONEachRow`, ...INSERT_SETTINGS });
  const begun = performance.now();
  const clients = Array.from({ length: order.clients }, async () => {
    for (let body = batches.shift(); body !== undefined; body = batches.shift()) {
      const answer = await fetch(`${origin}/?${insert}`, { method: 'POST', headers, body });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`a plain insert: ${text.slice(0, 300)}`);
    }
  });
  await Promise.all(clients);
  const seconds = (performance.now() - begun) / 1000;
  const [[counted] = []] = await server.ask(`select count() from ${table}`);
  requireSame('records of plain inserts', Number(counted), order.records);
  await server.ask(`drop database ${database} sync`);
  return seconds;
}

async function batchesOf({ file, records, batch }: InsertOrder): Promise<string[]> {
  const batches: string[] = [];
  let lines: string[] = [];
  for await (const line of createInterface({ input: createReadStream(file) })) {
    lines.push(line);
    if (lines.length < batch) continue;
    batches.push(lines.join('\n'));
    lines = [];
  }
  if (lines.length > 0) batches.push(lines.join('\n'));
  if (batches.length !== Math.ceil(records / batch)) throw new Error('the log has other records than it says');
  return batches;
}
