// The hand of somebody who may write to the database, and to nothing else: changes rows of a stopped service's audit
// log by SQL, and can put everything back as it was.

import { createPublicKey } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFoundation } from '#app/foundation/foundation.ts';
import { entryHash, type Frontier, GENESIS, grow, merkleRoot } from '#audit/chain/chain.ts';
import { openSigningKey } from '#audit/chain/keys.ts';
import { ENTRY_COLUMNS, entryOfRow, entryRow, type Params, type SealedEntry } from '#audit/entry.ts';
import type { Finding, Verdict } from '#audit/verify/verdict.ts';
import { verifyDatabase } from '#audit/verify/verify-database.ts';
import { systemClock } from '#kernel/time/clock.ts';
import type { Config } from '#settings/index.ts';
import type { Driver, Row, Value } from '#store/connection.ts';
import { openPostgres } from '#store/postgres/postgres.ts';
import { openSqlite } from '#store/sqlite/sqlite.ts';
import type { Service } from './service.ts';

type Folders = Pick<Config, 'data' | 'keys' | 'database'>;

/** What `vigil audit verify` does, without the command around it. */
export async function verdictOn({ data, keys, database }: Folders): Promise<Verdict> {
  const publicKey = createPublicKey(openSigningKey(keys));
  return await verifyDatabase(database ?? data, { publicKey, witnesses: [witnessIn(keys)], needsWitness: true });
}

export function witnessIn(keys: string): string {
  const name = readdirSync(keys).find((candidate) => candidate.startsWith('audit-witness-'));
  if (name === undefined) throw new Error(`there is no witness in ${keys}`);
  return join(keys, name);
}

/** Three sessions of the service with calls at the same time, then the trail by itself, so that groups are large. */
export async function writeLog(service: Service): Promise<void> {
  for (const session of [1, 2, 3]) {
    const names = Array.from({ length: 25 }, (_, number) => `회사 ${session}-${number}`);
    await Promise.all(names.map((name) => service.call('POST', '/api/core/companies', { form: { name } })));
    await service.call('DELETE', '/api/core/companies', { form: { guids: 'none' } });
    if (session < 3) await service.restart();
  }
  await service.stop();
  await recordAtOnce(service, 60, 3);
}

/** Opens the trail of a stopped service and adds so many entries at the same time, in several rounds. */
export async function recordAtOnce({ config }: Service, count: number, rounds = 1): Promise<void> {
  const observer = { groupCommitted: () => undefined, storeFailed: () => undefined };
  const { trail, close } = await openFoundation(config, { clock: systemClock, observer });
  const draft = { user_name: '김 “민수”', remote_ip: '::1', module: 'companies', method: 'create' };
  for (let round = 0; round < rounds; round += 1) {
    const params = Array.from({ length: count }, (_, number) => ({ round, number, b: [null, 1.5] }));
    await Promise.all(params.map((each) => trail.record({ ...draft, params: each })));
  }
  await close();
}

const TABLES = ['audit_entries', 'audit_checkpoints'] as const;

/** The log of a stopped service. */
export class Victim implements AsyncDisposable {
  readonly folders: Folders;
  readonly #tables = new Map<string, readonly Row[]>();
  readonly #witness: string;
  #driver: Driver | undefined;

  private constructor(folders: Folders) {
    this.folders = folders;
    this.#witness = readFileSync(witnessIn(folders.keys), 'utf8');
  }

  static async of(folders: Folders): Promise<Victim> {
    const victim = new Victim(folders);
    const { reader } = await victim.#open();
    for (const table of TABLES) victim.#tables.set(table, await reader.all(`select * from ${table} order by id`));
    return victim;
  }

  get entries(): readonly SealedEntry[] {
    return (this.#tables.get('audit_entries') ?? []).map(entryOfRow);
  }

  get checkpointIds(): readonly number[] {
    return (this.#tables.get('audit_checkpoints') ?? []).map(({ id }) => Number(id));
  }

  /** The entries of each group commit that the witness has a line for. */
  get groups(): readonly (readonly number[])[] {
    const lines = this.#witness.trim().split('\n');
    return lines.map((line) => {
      const { id, tags = '' }: { id: number; tags?: string } = JSON.parse(line);
      return Array.from({ length: tags.length / 8 }, (_, at) => id - tags.length / 8 + at + 1);
    });
  }

  /** Statements with `?` for their values, in one transaction. */
  async tamper(statements: readonly Statement[]): Promise<void> {
    const driver = await this.#open();
    const { connection, commit } = await driver.begin();
    for (const [sql, ...values] of statements) await connection.all(sql, values);
    await commit();
  }

  async putBack(): Promise<void> {
    const driver = await this.#open();
    const { connection, commit } = await driver.begin();
    for (const [table, rows] of this.#tables) {
      await connection.exec(`delete from ${table}`);
      const columns = Object.keys(rows[0] ?? {});
      const values = rows.map((row) => columns.map((column) => row[column] as Value));
      await connection.insertMany(table, columns, values);
    }
    await connection.exec('delete from audit_texts');
    await commit();
    writeFileSync(witnessIn(this.folders.keys), this.#witness);
  }

  /** Lets the service have its database again. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#driver?.close();
    this.#driver = undefined;
  }

  /** Gives entry `from` another user and makes all hashes, and whatever of the checkpoints is not signed, anew. */
  recompute(from: number): Statement[] {
    const changed = this.entries.map((entry) => (entry.id === from ? { ...entry, user_name: 'somebody else' } : entry));
    return resealed(changed, this.checkpointIds).filter(([, ...values]) => Number(values.at(-1)) >= from);
  }

  /** Adds entries that follow from the last one. */
  append(count: number): Statement[] {
    let last = this.entries.at(-1);
    return Array.from({ length: count }, () => {
      if (!last) throw new Error('the log is empty');
      const entry = { ...last, id: last.id + 1 };
      last = { ...entry, hash: entryHash(last.hash, entry) };
      const sql = `insert into audit_entries (${ENTRY_COLUMNS.join(', ')}) values (${ENTRY_COLUMNS.map(() => '?').join(', ')})`;
      return [sql, ...entryRow(last)] as const;
    });
  }

  /** A renewal of the audit key that nobody has made, as one more entry. */
  renewal(msg_params: Params): Statement {
    const last = this.entries.at(-1);
    const [[sql] = ['']] = this.append(1);
    const made = { module: 'service', method: 'renew-audit', msg_params };
    const entry = { user_name: '-', remote_ip: '127.0.0.1', ...made, id: (last?.id ?? 0) + 1, created_at: 1 };
    return [sql, ...entryRow({ ...entry, hash: entryHash(last?.hash ?? GENESIS, entry) })];
  }

  async #open(): Promise<Driver> {
    const { data, database } = this.folders;
    this.#driver ??= database === undefined ? openSqlite(data) : await openPostgres(database);
    return this.#driver;
  }
}

export type Statement = readonly [sql: string, ...values: Value[]];

function resealed(entries: readonly SealedEntry[], checkpointIds: readonly number[]): Statement[] {
  let hash = GENESIS;
  let frontier: Frontier = [];
  return entries.flatMap((entry) => {
    hash = entryHash(hash, entry);
    frontier = grow(frontier, hash);
    const { id, user_name } = entry;
    const update: Statement = ['update audit_entries set user_name = ?, hash = ? where id = ?', user_name, hash, id];
    if (!checkpointIds.includes(id)) return [update];
    const unsigned = 'update audit_checkpoints set hash = ?, root = ?, frontier = ? where id = ?';
    return [update, [unsigned, hash, merkleRoot(frontier), JSON.stringify(frontier), id] as const];
  });
}

/** Kind and number of what verification finds after this, such as `edited 12`; everything is put back afterwards. */
export async function findingAfter(statements: readonly Statement[], victim: Victim): Promise<string> {
  await victim.tamper(statements);
  const verdict = await verdictOn(victim.folders);
  await victim.putBack();
  return named(verdict);
}

/** `nothing` for a log that is proven; a range where the first bad entry is one of several. */
export function named(verdict: Verdict): string {
  if (verdict.ok) return 'nothing';
  const { kind, firstBadId, lastBadId }: Finding = verdict;
  return `${kind} ${firstBadId}${lastBadId === undefined ? '' : `-${lastBadId}`}`;
}

/** The statements that put each of two entries, with its hash, under the id of the other. */
export const swapIds = (a: number, b: number): Statement[] => [
  ['update audit_entries set id = -1 where id = ?', a],
  ['update audit_entries set id = ? where id = ?', a, b],
  ['update audit_entries set id = ? where id = -1', b],
];

/** The statements that exchange what two entries say and leave ids and hashes where they are. */
export function swapContents(a: SealedEntry, b: SealedEntry): Statement[] {
  const columns = ENTRY_COLUMNS.filter((column) => column !== 'id' && column !== 'hash');
  const sql = `update audit_entries set ${columns.map((column) => `${column} = ?`).join(', ')} where id = ?`;
  const valuesOf = (entry: SealedEntry): Value[] =>
    columns.map((column) => {
      const value = entry[column];
      return value === undefined ? null : typeof value === 'object' ? JSON.stringify(value) : value;
    });
  return [
    [sql, ...valuesOf(b), a.id],
    [sql, ...valuesOf(a), b.id],
  ];
}
