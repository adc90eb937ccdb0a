// A stored lookup as a sink of a query (`outputlookup`).

import type { Account } from '#access/caller.ts';
import { newGuid } from '#kernel/guid.ts';
import { searchText } from '#kernel/text/search-text.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { FlushingSink } from '#query/plan-nodes/effect.ts';
import type { LookupFill } from '#query/plan-nodes/outputlookup.ts';
import type { Db } from '#store/kysely.ts';
import { isNameTaken } from '#store/rows/names.ts';
import type { LoadTarget, LookupLoad, PreparedLoad, StoredLookups } from './stored-lookups.ts';

interface SinkDeps {
  readonly lookups: StoredLookups;
  /** The account whose rights count: it owns a lookup that the sink makes. */
  readonly owner: Account;
  readonly now: Temporal.Instant;
}

export async function lookupSink(node: LookupFill, deps: SinkDeps): Promise<FlushingSink> {
  const { lookups } = deps;
  const begin = () => lookups.begin({ columns: node.columns.map(({ name }) => name), key: node.key });
  let target: LoadTarget = {
    mode: node.append ? 'merge' : 'replace',
    ...(node.stored === undefined ? { insert: (db) => insertLookup(db, node, deps) } : { guid: node.stored }),
  };
  let load: LookupLoad | undefined = await begin();
  let prepared: PreparedLoad | undefined;
  const sink: FlushingSink = {
    async add(rows) {
      load ??= await begin();
      await load.add(rows);
    },
    async prepare() {
      prepared = load && (await lookups.prepare(load, target));
      if (!prepared) throw gone(node);
    },
    async commit() {
      const loaded = prepared && (await lookups.commit(prepared));
      if (!loaded) throw gone(node);
      // Rows of a later flush are added to these.
      target = { mode: 'merge', guid: loaded.guid };
    },
    async flush() {
      if (!load) return;
      await sink.prepare();
      await sink.commit();
      await sink.discard();
    },
    async discard() {
      await prepared?.[Symbol.asyncDispose]();
      prepared = undefined;
      await load?.[Symbol.asyncDispose]();
      load = undefined;
    },
  };
  return sink;
}

const gone = (node: LookupFill) => new QueryError(21200, node, { name: node.lookup });

/** Another query may have made it since the check. */
async function insertLookup(db: Db, { lookup: name, key, columns, begin, end }: LookupFill, deps: SinkDeps) {
  if (await isNameTaken(db, 'lookups', name, {})) throw new QueryError(30303, { begin, end }, { name });
  const guid = newGuid();
  const at = deps.now.epochMilliseconds;
  await db
    .insertInto('lookups')
    .values({
      guid,
      name,
      description: null,
      key,
      columns: JSON.stringify(columns.map((column) => column.name)),
      restricted: 0,
      owner_guid: deps.owner.userGuid,
      row_count: 0,
      version: 0,
      size: 0,
      file: null,
      file_columns: '[]',
      search: searchText([name, null]),
      created_at: at,
      updated_at: at,
    })
    .execute();
  return guid;
}
