// POST /tables/:table/logs

import type { Caller } from '#access/caller.ts';
import { grantee, rightOn, visibleTable } from '#access/rights/table-rights.ts';
import type { Trail } from '#audit/trail.ts';
import { notFound } from '#contract/errors.ts';
import { isAtLeast } from '#contract/values.ts';
import type { CountObserver } from '#ingest/counts/counters.ts';
import type { Counts } from '#ingest/counts/counts.ts';
import { createTable, requireTableName } from '#ingest/pushes/new-table.ts';
import { type BodyFormat, PUSHED_BODY } from '#ingest/pushes/pushed-body.ts';
import { PUSH_NOTES, type Pushes, pushAnswer } from '#ingest/pushes/pushes.ts';
import { parsedBy } from '#ingest/reading/model.ts';
import type { Readers } from '#ingest/reading/reader.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { LogStore } from '#logs/log-store.ts';
import { described } from '#operations/described.ts';
import { type AccessRule, type Call, endpoint } from '#operations/endpoint.ts';
import { flag, inQuery, orElse, text } from '#operations/params/params.ts';
import type { LogTableRow } from '#store/schema/schema.ts';
import { table } from './params.ts';

/** In metrics, beside the protocols of senders. */
const PROTOCOL = 'push';
/** Keeps a line of text as the field `line`. */
const PLAIN_TEXT = 'text';

const writers: AccessRule = {
  text: 'ADMIN or higher, or a MEMBER that may write to the table',
  async allows(caller, path, store) {
    if (grantee(caller) === undefined) return true;
    return await store.read(async (db) => {
      const found = await visibleTable(db, caller, path.table ?? '');
      // An invisible table is answered as missing, not as forbidden.
      return !found || (await rightOn(db, caller, found.id)) === 'write';
    });
  },
};

export const push = endpoint({
  title: 'Push logs to table',
  notes:
    `${PUSH_NOTES}\n\n` +
    'With `create=true` an ADMIN need not create the table first: an absent one is created with the defaults of ' +
    '`POST /tables`, which leaves the audit entry `tables.create`, once the body is decoded; where the disk is full ' +
    'then, the table stays, empty. Text is read by `parser`, where JSON needs none. Stream rules of the schema of the ' +
    'table look at the records, if they name no logger and no logger model. Pushing leaves no audit entry; a push ' +
    'refused for lack of permission is `tables.push`. A MEMBER gets `table not found` where it cannot read the table ' +
    'and `no-permission` where it cannot write to it.',
  method: 'POST',
  path: '/api/core/tables/:table/logs',
  access: writers,
  takesLogs: 'pushed',
  auditedRefusal: 'tables.push',
  params: {
    table,
    create: inQuery(
      orElse(
        flag,
        false,
        'Whether an absent table is created; ignored unless the key is one of an ADMIN, of scope `all`.',
      ),
    ),
    parser: inQuery(
      described(text(50), 'Code of the parser of text; without one a line is the field `line`.', 'syslog'),
    ),
  },
  rawBody: PUSHED_BODY,
  isUnit: false,
  answer: pushAnswer,

  async run(input, call: Call & Needs) {
    const { db, caller, content, gone, pushes, readers, logCounts } = call;
    const name = input.table;
    const found = await visibleTable(db, caller, name);
    if (!found) {
      if (!(input.create && mayCreate(caller))) throw notFound('table', name);
      requireTableName(name);
    }
    const target = {
      source: name,
      table: found && { id: found.id, name, layout: found.layout, compression: found.compression },
      readerFor(format: BodyFormat) {
        const code = format === 'text' ? (input.parser ?? PLAIN_TEXT) : PLAIN_TEXT;
        return readers.readerFor({ ...parsedBy(code), table_name: name });
      },
      async destination() {
        if (!found) await createTable(name, call, call);
        const { id, layout, compression, schema_code } = found ?? (await requireTable(call, name));
        return {
          table: { id, name, layout, compression },
          schemaCode: schema_code,
          origin: undefined,
          protocol: PROTOCOL,
        };
      },
      count: (counts: Counts) => logCounts.counted({ protocol: PROTOCOL, table: name }, counts, 'rejected'),
    };
    return await pushes.take(content, target, gone);
  },
});

interface Needs {
  readonly clock: Clock;
  readonly engine: LogStore;
  readonly trail: Trail;
  readonly pushes: Pushes;
  readonly readers: Readers;
  readonly logCounts: CountObserver;
}

/** The table may have been dropped at once. */
async function requireTable({ db, caller }: Call, name: string): Promise<LogTableRow> {
  const found = await visibleTable(db, caller, name);
  if (!found) throw notFound('table', name);
  return found;
}

const mayCreate = ({ role, keyScope }: Caller): boolean => isAtLeast(role, 'ADMIN') && keyScope === 'all';
