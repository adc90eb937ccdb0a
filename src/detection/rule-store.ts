// The SQL of rules and their versions. A rule changes only together with a new version of it, in one unit: units are
// serialized, so numbers have no gaps and none is given twice.

import type { Actor } from '#access/caller.ts';
import { searchable } from '#kernel/folded.ts';
import type { Db } from '#store/kysely.ts';
import { containing, inChunks, type Page, type Paging } from '#store/lists.ts';
import type { RuleRow, RuleVersionRow } from '#store/rule-schema.ts';
import type { RuleKind } from './kinds.ts';
import { referencesOf } from './references.ts';
import type { Snapshot } from './snapshot.ts';

export interface WantedRules extends Paging {
  readonly keywords: string | undefined;
  readonly enabled: boolean | undefined;
  readonly priority: string | undefined;
  readonly category_guid: string | undefined;
  readonly schema_code?: string | undefined;
}

export async function listRules(db: Db, kind: RuleKind, wanted: WantedRules): Promise<Page<RuleRow>> {
  let matching = db.selectFrom('rules').where('kind', '=', kind).where(containing('rules', wanted.keywords));
  if (wanted.enabled !== undefined) matching = matching.where('enabled', '=', wanted.enabled ? 1 : 0);
  if (wanted.priority !== undefined) matching = matching.where('priority', '=', wanted.priority);
  if (wanted.category_guid !== undefined) matching = matching.where('category_guid', '=', wanted.category_guid);
  if (wanted.schema_code !== undefined) matching = matching.where('schema_code', '=', wanted.schema_code);
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const page = matching.orderBy('name').orderBy('guid').limit(wanted.limit).offset(wanted.offset);
  return { total, rows: await page.selectAll().execute() };
}

export const enabledRules = (db: Db, kind: RuleKind): Promise<RuleRow[]> =>
  db.selectFrom('rules').selectAll().where('kind', '=', kind).where('enabled', '=', 1).execute();

export const findRule = (db: Db, kind: RuleKind, guid: string): Promise<RuleRow | undefined> =>
  db.selectFrom('rules').selectAll().where('kind', '=', kind).where('guid', '=', guid).executeTakeFirst();

export async function isNameTaken(db: Db, kind: RuleKind, name: string, except?: string): Promise<boolean> {
  let query = db.selectFrom('rules').select('guid').where('kind', '=', kind).where('name', '=', name);
  if (except !== undefined) query = query.where('guid', '!=', except);
  return (await query.executeTakeFirst()) !== undefined;
}

/** A schedule that begins again counts from now on. */
export async function setEnabled(db: Db, { kind, guid, enabled }: RuleRow, isOn: boolean, now: number): Promise<void> {
  if ((enabled === 1) === isOn) return;
  const row = { enabled: isOn ? 1 : 0, scheduled_since: now, updated_at: now };
  await db.updateTable('rules').set(row).where('kind', '=', kind).where('guid', '=', guid).execute();
}

/** The versions stay. */
export async function removeRule(db: Db, kind: RuleKind, guid: string): Promise<void> {
  await db.deleteFrom('rule_references').where('kind', '=', kind).where('guid', '=', guid).execute();
  await db.deleteFrom('rules').where('kind', '=', kind).where('guid', '=', guid).execute();
}

/** A change of a rule, or its beginning. */
export interface NewVersion {
  readonly kind: RuleKind;
  readonly guid: string;
  readonly snapshot: Snapshot;
  readonly change: RuleVersionRow['change'];
  readonly restoredFrom?: number;
  readonly comment: string | null;
  readonly author: Actor;
  readonly now: number;
}

/** Puts a snapshot in force as the next version of its rule, and gives its number. `enabled` is for a new rule. */
export async function writeVersion(db: Db, version: NewVersion, enabled = false): Promise<number> {
  const { kind, guid, snapshot, now, change, restoredFrom = null, comment, author } = version;
  const number = (await newestVersion(db, kind, guid)) + 1;
  const common = {
    name: String(snapshot.name),
    snapshot: JSON.stringify(snapshot),
    user_guid: author.userGuid,
    user_name: author.login,
  };
  const row = { kind, guid, version: number, change, restored_from: restoredFrom, comment, ...common, created_at: now };
  await db.insertInto('rule_versions').values(row).execute();
  const current = {
    ...common,
    ...columnsOf(snapshot),
    company_guid: author.companyGuid,
    version: number,
    updated_at: now,
  };
  if (change === 'create') {
    const beginning = { kind, guid, enabled: enabled ? 1 : 0, scheduled_since: now, created_at: now };
    await db
      .insertInto('rules')
      .values({ ...beginning, ...current })
      .execute();
  } else {
    const before = await findRule(db, kind, guid);
    const isSameSchedule = before && scheduleOf(before) === snapshot.schedule;
    const since = isSameSchedule ? {} : { scheduled_since: now };
    const changes = { ...current, ...since };
    await db.updateTable('rules').set(changes).where('kind', '=', kind).where('guid', '=', guid).execute();
  }
  await setReferences(db, kind, guid, snapshot);
  return number;
}

/** Of a batch rule; stream rules have none. */
export function scheduleOf({ snapshot }: Pick<RuleRow, 'snapshot'>): string | undefined {
  const { schedule } = JSON.parse(snapshot) as Snapshot;
  return typeof schedule === 'string' ? schedule : undefined;
}

/** 0 where there is none. */
async function newestVersion(db: Db, kind: RuleKind, guid: string): Promise<number> {
  const { newest } = await versions(db, kind, guid)
    .select((eb) => eb.fn.max('version').as('newest'))
    .executeTakeFirstOrThrow();
  return Number(newest ?? 0);
}

/** What lists filter and search by. */
function columnsOf(snapshot: Snapshot) {
  const textOf = (field: string) => (typeof snapshot[field] === 'string' ? snapshot[field] : null);
  return {
    priority: String(snapshot.priority),
    category_guid: textOf('category_guid'),
    schema_code: textOf('schema_code'),
    search: searchable(['name', 'description', 'query', 'schema_code'].map(textOf)),
  };
}

async function setReferences(db: Db, kind: RuleKind, guid: string, snapshot: Snapshot): Promise<void> {
  await db.deleteFrom('rule_references').where('kind', '=', kind).where('guid', '=', guid).execute();
  const rows = referencesOf(kind, snapshot).map(({ field, thing, key }) => ({
    kind,
    guid,
    field: field?.field ?? 'commands',
    thing,
    object: key,
  }));
  await inChunks(rows, (chunk) => db.insertInto('rule_references').values(chunk).returning('guid').execute());
}

export async function listVersions(db: Db, kind: RuleKind, guid: string, { offset, limit }: Paging) {
  const matching = versions(db, kind, guid);
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const page = matching.selectAll().orderBy('version', 'desc').limit(limit).offset(offset);
  return { total, rows: await page.execute() };
}

export const findVersion = (db: Db, kind: RuleKind, guid: string, version: number) =>
  versions(db, kind, guid).selectAll().where('version', '=', version).executeTakeFirst();

const versions = (db: Db, kind: RuleKind, guid: string) =>
  db.selectFrom('rule_versions').where('kind', '=', kind).where('guid', '=', guid);
