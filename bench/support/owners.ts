// A second table beside the log, small as such tables are: who owns an address. Only some addresses have an owner.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLogger } from '#test/support/logs.ts';
import { sealAll } from './log-fill.ts';
import { pushAll } from './push.ts';
import { launch, MASTER_KEY, vigil } from './server-process.ts';
import { serviceOf } from './service-calls.ts';
import { filesOf, type StoredLog } from './stored-log.ts';
import { tableFolderIn } from './table-files.ts';

export const OWNERS = 'owners';
const MAX_OWNERS = 5000;
const TEAMS = 40;

/** Of the folders of services: several benches of a run ask the same one. */
const added = new Map<string, Promise<string>>();

/** Gives the table's files, for a FROM. */
export function addOwners(log: StoredLog): Promise<string> {
  const adding = added.get(log.folder) ?? add(log);
  added.set(log.folder, adding);
  return adding;
}

async function add({ folder, duckdb, files }: StoredLog): Promise<string> {
  const found = await duckdb.rows(`select distinct src_ip from ${files} order by md5(src_ip) limit ${MAX_OWNERS}`);
  const file = join(folder, 'owners.ndjson');
  const lines = found.map(({ src_ip }, at) => JSON.stringify({ src_ip, team: `team-${at % TEAMS}` }));
  writeFileSync(file, `${lines.join('\n')}\n`);
  await push(folder, file, found.length);
  await sealAll(folder, OWNERS, found.length);
  return filesOf(tableFolderIn(folder, OWNERS));
}

async function push(folder: string, file: string, records: number): Promise<void> {
  await using server = await launch(vigil({ folder }));
  await server.ready('/readyz');
  const logger = await createLogger(serviceOf(server), { table: OWNERS });
  const headers = { authorization: `Bearer ${MASTER_KEY}`, 'content-type': 'application/x-ndjson' };
  const order = { port: server.port, path: `/api/core/loggers/${logger}/logs`, headers, file };
  await pushAll({ ...order, records, recordsPerBatch: records, clients: 1 }, () => undefined);
}
