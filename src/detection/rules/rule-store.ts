// The SQL of rules and their versions. A rule changes only together with a new version, in one unit: units are serialized, so
// version numbers have no gaps or duplicates.

import type { Actor } from '#access/caller.ts';
import { searchText } from '#kernel/text/search-text.ts';
import type { Db } from '#store/kysely.ts';
import { containsKeyword, inChunks, type Page, type Paging } from '#store/rows/lists.ts';
import { insertEach } from '#store/rows/many.ts';
import type { RuleReferenceRow, RuleRow, RuleVersionRow } from '#store/schema/rule-schema.ts';
import { referencesOf } from './references.ts';
import type { RuleKind } from './rule-kinds.ts';
import type { Snapshot } from './snapshot.ts';

interface RuleFilter extends Paging {
  readonly keywords: string | undefined;
  readonly enabled: boolean | undefined;
  readonly priority: string | undefined;
  readonly category_guid: string | undefined;
  readonly schema_code?: string | undefined;
}

export async function listRules(db: Db, kind: RuleKind, wanted: RuleFilter): Promise<Page<RuleRow>> {
  let matching = db.selectFrom('rules').where('kind', '=', kind).where(containsKeyword('rules', wanted.keywords));
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

/** The schedule of an enabled rule starts now. */
export async function setEnabled(db: Db, { kind, guid, enabled }: RuleRow, isOn: boolean, now: number): Promise<void> {
  if ((enabled === 1) === isOn) return;
  const row = { enabled: isOn ? 1 : 0, scheduled_since: now, updated_at: now };
  await db.updateTable('rules').set(row).where('kind', '=', kind).where('guid', '=', guid).execute();
}

/** Versions and references stay: users that the rule names still see its events. */
export async function removeRule(db: Db, kind: RuleKind, guid: string): Promise<void> {
  await db.deleteFrom('rules').where('kind', '=', kind).where('guid', '=', guid).execute();
}

/** A change or creation of a rule. */
interface NewVersion {
  readonly kind: RuleKind;
  readonly guid: string;
  readonly snapshot: Snapshot;
  readonly change: RuleVersionRow['change'];
  /** The current rule; undefined for a new one. */
  readonly before?: RuleRow;
  readonly restoredFrom?: number;
  readonly comment: string | null;
  readonly author: Actor;
  readonly now: number;
}

/** Writes a snapshot as the next version of its rule and returns its number. `enabled` applies to a new rule. */
export async function writeVersion(db: Db, version: NewVersion, enabled = false): Promise<number> {
  const { kind, guid, snapshot, now, change, before, restoredFrom = null, comment, author } = version;
  const number = (before?.version ?? (await newestVersion(db, kind, guid))) + 1;
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
  const old: Snapshot | undefined = before && JSON.parse(before.snapshot);
  if (old) {
    const since = old.schedule === snapshot.schedule ? {} : { scheduled_since: now };
    const changes = { ...current, ...since };
    await db.updateTable('rules').set(changes).where('kind', '=', kind).where('guid', '=', guid).execute();
  } else {
    const beginning = { kind, guid, enabled: enabled ? 1 : 0, scheduled_since: now, created_at: now };
    await db
      .insertInto('rules')
      .values({ ...beginning, ...current })
      .execute();
  }
  await setReferences(db, version, old);
  return number;
}

/** Schedule of a batch rule; undefined for stream rules. */
export function scheduleOf({ snapshot }: Pick<RuleRow, 'snapshot'>): string | undefined {
  const { schedule } = JSON.parse(snapshot) as Snapshot;
  return typeof schedule === 'string' ? schedule : undefined;
}

/** 0 without versions. */
async function newestVersion(db: Db, kind: RuleKind, guid: string): Promise<number> {
  const { newest } = await versions(db, kind, guid)
    .select((eb) => eb.fn.max('version').as('newest'))
    .executeTakeFirstOrThrow();
  return Number(newest ?? 0);
}

/** Columns for filters and search. */
function columnsOf(snapshot: Snapshot) {
  const textOf = (field: string) => (typeof snapshot[field] === 'string' ? snapshot[field] : null);
  return {
    priority: String(snapshot.priority),
    category_guid: textOf('category_guid'),
    schema_code: textOf('schema_code'),
    search: searchText(['name', 'description', 'query', 'schema_code'].map(textOf)),
  };
}

/** Writes only changed references of an existing rule: few versions change them. */
async function setReferences(db: Db, { kind, guid, snapshot }: NewVersion, old: Snapshot | undefined): Promise<void> {
  const written = db.deleteFrom('rule_references').where('kind', '=', kind).where('guid', '=', guid);
  const wanted = referenceRows(kind, guid, snapshot);
  if (!old) {
    // A removed rule of this GUID may have left its references.
    await written.execute();
    return await insertEach(db, 'rule_references', [...wanted.values()]);
  }
  const known = referenceRows(kind, guid, old);
  const gone = [...known].filter(([id]) => !wanted.has(id)).map(([, row]) => row);
  for (const [field, rows] of Map.groupBy(gone, (row) => row.field)) {
    const objects = rows.map(({ object }) => object);
    await inChunks(objects, (chunk) => written.where('field', '=', field).where('object', 'in', chunk).execute());
  }
  const fresh = [...wanted].filter(([id]) => !known.has(id)).map(([, row]) => row);
  await insertEach(db, 'rule_references', fresh);
}

/** Field with the text of a rule. */
const TEXT_FIELDS: Readonly<Record<RuleKind, string>> = { batch: 'query', stream: 'commands' };

/** By field and object. */
function referenceRows(kind: RuleKind, guid: string, snapshot: Snapshot): Map<string, RuleReferenceRow> {
  const rows = referencesOf(kind, snapshot).map(({ field, thing, key }) => {
    return { kind, guid, field: field?.field ?? TEXT_FIELDS[kind], thing, object: key };
  });
  return new Map(rows.map((row) => [`${row.field} ${row.object}`, row]));
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
