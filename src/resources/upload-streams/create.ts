// POST /upload-streams

import type { Caller } from '#access/caller.ts';
import { visibleLookups, writableLookups } from '#access/rights/lookup-rights.ts';
import { grantee, rightOn, visibleTable } from '#access/rights/table-rights.ts';
import { ApiError, bodyTooLarge, noPermission, notFound, tooMany } from '#contract/errors.ts';
import { newGuid } from '#kernel/guid.ts';
import { searchText } from '#kernel/text/search-text.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { guidText, record } from '#operations/answers/shapes.ts';
import { type AccessRule, Answer, type Call, endpoint } from '#operations/endpoint.ts';
import type { Db } from '#store/kysely.ts';
import type { LogTableRow } from '#store/schema/schema.ts';
import type { Store } from '#store/store.ts';
import { expiryOf, TUS_MIRRORED } from './model.ts';
import { newStream, paramsOfTus, tusVersion } from './params.ts';
import { canWriteAnything, countStreams, insertStream } from './uploads/store.ts';
import type { StreamClaim, Uploads } from './uploads/uploads.ts';

/** The target is known only with the parameters; a caller without write access to any is refused before. */
const writers: AccessRule = {
  text: 'ADMIN or higher, or a MEMBER that may write to the table or lookup',
  async allows(caller, _path, store) {
    const user = grantee(caller);
    return user === undefined || (await store.read((db) => canWriteAnything(db, user)));
  },
};

export const create = endpoint({
  title: 'Open upload',
  notes:
    'Begins an upload into `metadata.table`, or of rows into the lookup `metadata.lookup`, with `metadata.mode` ' +
    '`replace` or `merge`. The token is good only from the address that opened it. A client ' +
    'that speaks tus sends `Tus-Resumable` and gives the same in headers: `Upload-Length`, and in ' +
    '`Upload-Metadata` `filename`, `table`, `format`, `charset` and other data to store; its upload is imported at the last ' +
    'byte, any other by `complete`.\n\n' +
    'The right to write is checked here, and again by each PATCH and by the completion: an account that has lost it ' +
    'gets `no-permission`, and the uploads of a removed account end. The table is the ' +
    'one that has the name now: a table dropped and created again is another (`table not found`). A MEMBER gets ' +
    '`no-permission` where it may write to no table or only read this one. `file_name` has no slash or backslash; ' +
    '`metadata` has at most 65,536 bytes. `Upload-Metadata` that is no base64 of UTF-8, or has a key twice, is ' +
    '400 `malformed request`; a body beside it is not read. More open uploads than `upload-streams` or ' +
    '`upload-streams-per-account` are 500 `too many upload streams: <n>`.\n\n' +
    'Opening, completing and cancelling leave audit entries, the latter two in the name of the account that ' +
    'opened the upload. Parts of uploads into a table with a crypto profile are encrypted.',
  method: 'POST',
  path: '/api/core/upload-streams',
  access: writers,
  takesLogs: 'uploaded',
  audit: 'upload-streams.create',
  params: { 'Tus-Resumable': tusVersion, ...newStream },
  givenInHeaders: paramsOfTus,
  mirrored: TUS_MIRRORED,
  answer: record({ token: guidText('Token that addresses the upload.') }),
  answerStatus: 201,
  answerHeaders: { Location: 'the path of the upload', 'Upload-Expires': 'when it is removed unless it goes on' },

  async run(input, { db, caller, remoteIp, clock, store, uploads, note, afterCommit }: Call & Needs) {
    const { file_name, file_size, metadata } = input;
    const { limits } = uploads;
    if (file_size > limits.bytes) throw bodyTooLarge(limits.bytes);
    const target = await targetOf(db, caller, metadata);
    await requireRoom(db, caller, uploads);
    const isTus = input['Tus-Resumable'] !== undefined;
    const token = newGuid();
    const now = clock.now().epochMilliseconds;
    await insertStream(db, {
      token,
      node: uploads.node,
      ...target,
      format: metadata.format,
      file_name,
      file_size,
      uploaded_size: 0,
      stored_size: 0,
      remote_addr: remoteIp,
      user_guid: caller.userGuid,
      login_name: caller.login,
      company_guid: caller.companyGuid,
      metadata: metadata.kept,
      completes_itself: isTus ? 1 : 0,
      search: searchText([file_name, caller.login]),
      created_at: now,
      touched_at: now,
    });
    note(target.lookup_guid === null ? { table: target.table_name } : { lookup: target.table_name });
    // An empty upload is complete at once.
    if (isTus && file_size === 0) afterCommit(() => completeEmpty(store, uploads, { token, remoteIp }));
    const expires = expiryOf({ touched_at: now }, limits.idle);
    return new Answer(
      { token },
      { headers: { location: `/api/core/upload-streams/${token}`, 'upload-expires': expires } },
    );
  },
});

interface Needs {
  readonly clock: Clock;
  readonly store: Store;
  readonly uploads: Uploads;
}

/** The limit of the account is checked first, because the caller can act on it. */
async function requireRoom(db: Db, { userGuid }: Caller, { limits, since }: Uploads): Promise<void> {
  const { streams, streamsPerAccount } = limits;
  if ((await countStreams(db, since, userGuid)) >= streamsPerAccount)
    throw tooMany('upload streams', streamsPerAccount);
  if ((await countStreams(db, since)) >= streams) throw tooMany('upload streams', streams);
}

interface Target {
  readonly table_id: number;
  readonly table_name: string;
  readonly lookup_guid: string | null;
}

async function targetOf(
  db: Db,
  caller: Caller,
  { table, lookup }: { table: string | undefined; lookup: string | undefined },
): Promise<Target> {
  if (lookup === undefined) {
    const { id: table_id, name: table_name } = await writableTable(db, caller, table ?? '');
    return { table_id, table_name, lookup_guid: null };
  }
  if (caller.keyScope === 'push') throw noPermission();
  const found = visibleLookups(db.selectFrom('lookups').where('guid', '=', lookup), caller, db);
  const row = await found.select(['guid', 'name', 'owner_guid']).executeTakeFirst();
  if (!row) throw notFound('lookup', lookup);
  if (!(await writableLookups(db, caller, [row])).has(row.guid)) throw noPermission();
  return { table_id: 0, table_name: row.name, lookup_guid: row.guid };
}

async function writableTable(db: Db, caller: Caller, name: string): Promise<LogTableRow> {
  const table = await visibleTable(db, caller, name);
  if (!table) throw notFound('table', name);
  if ((await rightOn(db, caller, table.id)) !== 'write') throw noPermission();
  return table;
}

/** Ignores a refusal of the import: the stream is open by now, and a later completion reports the error. */
async function completeEmpty(store: Store, uploads: Uploads, claim: StreamClaim): Promise<void> {
  const row = await store.read((db) => uploads.claimed(db, claim));
  if (!row) return;
  try {
    await uploads.complete(row, claim.token);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}
