// Parts of uploads into tables under key: when their table goes, when their file is not what was written, when the key
// cannot be had.

import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { rowsOf } from '#test/support/logs.ts';
import { inStore } from '#test/support/stopped-store.ts';
import { outcome, refused, serviceFor } from '#test/support/suites.ts';
import { append, cancel, complete, offsetOf, opened } from '#test/support/uploads.ts';
import { everythingKept } from '#test/support/written-data.ts';

const PROFILE = 'cccccccc-0000-4000-8000-00000000000c';
const SECRET = 'xyzzy-value-of-a-card';
const LINE = `{"text":"${SECRET}"}\n`;
const illegal = (message: string) => refused(500, 'illegal-state', message);

describe('A part', () => {
  const subject = serviceFor();
  const { call } = subject;
  let tables = 0;
  const newTable = async (fields: Record<string, string> = {}) => {
    tables += 1;
    const form = { table: `t${tables}`, crypto_profile_guid: PROFILE, encryption: 'true', ...fields };
    expect((await call('POST', '/api/core/tables', { form })).status).toBe(200);
    return form.table;
  };
  const folder = () => join(subject.service.config.data, 'uploads');
  const partOf = (token: string) => join(folder(), `${token}.part`);
  const hidden = async () => (await everythingKept(subject.service)).filter((bytes) => bytes.includes(SECRET)).length;
  const openHalf = async (table: string) => {
    const token = await opened(subject, { file_size: LINE.length * 2, metadata: { table } });
    expect((await append(subject, token, { offset: 0, body: LINE })).status).toBe(204);
    return token;
  };
  beforeAll(() => created(subject, '/api/core/crypto-profiles', { guid: PROFILE, name: 'p' }));

  it('of an encrypted table that was dropped takes nothing in clear, begun or not', async () => {
    const table = await newTable();
    const begun = await openHalf(table);
    const fresh = await opened(subject, { file_size: LINE.length, metadata: { table } });
    await call('DELETE', `/api/core/tables/${table}`);
    const lost = illegal(`table not found: ${table}`);
    expect.soft(outcome(await append(subject, begun, { offset: LINE.length, body: LINE }))).toEqual(lost);
    expect.soft(outcome(await append(subject, fresh, { offset: 0, body: LINE }))).toEqual(lost);
    expect(await hidden()).toBe(0);
    for (const token of [begun, fresh]) expect(outcome(await cancel(subject, token))).toEqual([200, {}]);
    expect(readdirSync(folder())).toEqual([]);
  });

  it.each([{ encryption: 'true' }, { encryption: 'false' }])(
    'of a table under a profile is named when any of its bytes is another one: %j',
    async (fields) => {
      const table = await newTable(fields);
      const token = await openHalf(table);
      await append(subject, token, { offset: LINE.length, body: LINE });
      const bytes = readFileSync(partOf(token));
      const damaged = illegal(`table is damaged: ${table} [file: ${token}.part]`);
      for (const at of [0, 9, Math.floor(bytes.length / 2), bytes.length - 1]) {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ 1;
        writeFileSync(partOf(token), changed);
        expect.soft(outcome(await complete(subject, token)), `byte ${at} of ${bytes.length}`).toEqual(damaged);
      }
      expect.soft(await rowsOf(subject, `table ${table}`)).toEqual([]);
      await cancel(subject, token);
    },
  );

  it('that was begun and is another file now takes nothing more, and says so', async () => {
    const table = await newTable();
    const damaged = (token: string) => illegal(`table is damaged: ${table} [file: ${token}.part]`);
    const harm: readonly ((path: string) => void)[] = [
      (path) => truncateSync(path, 20),
      (path) => rmSync(path),
      (path) => writeFileSync(path, Buffer.alloc(readFileSync(path).length)),
    ];
    for (const [index, harmed] of harm.entries()) {
      const token = await openHalf(table);
      harmed(partOf(token));
      const answer = await append(subject, token, { offset: LINE.length, body: LINE });
      expect.soft(outcome(answer), `harm ${index}`).toEqual(damaged(token));
      expect(await offsetOf(subject, token)).toBe(LINE.length);
      expect(outcome(await cancel(subject, token))).toEqual([200, {}]);
    }
  });

  it('of a closed table takes nothing, loses nothing and can be cancelled', async () => {
    const table = await newTable();
    const token = await openHalf(table);
    const other = await openHalf(table);
    const secretFile = join(subject.service.config.keys, 'master-secret');
    const secret = readFileSync(secretFile);
    await subject.service.stop();
    rmSync(secretFile);
    // A database of an older version, which does not know its secret yet: any other would not start.
    await inStore(subject, (db) => db.deleteFrom('installation').where('key', '=', 'master-secret').execute());
    await subject.service.restart();
    const closed = illegal(`table is closed: ${table}`);
    expect(await offsetOf(subject, token)).toBe(LINE.length);
    expect(outcome(await append(subject, token, { offset: LINE.length, body: LINE }))).toEqual(closed);
    expect(outcome(await cancel(subject, other))).toEqual([200, {}]);
    const fresh = await opened(subject, { file_size: LINE.length, metadata: { table } }).catch(() => undefined);
    if (fresh) expect(outcome(await append(subject, fresh, { offset: 0, body: LINE }))).toEqual(closed);
    expect(await hidden()).toBe(0);
    writeFileSync(secretFile, secret, { mode: 0o600 });
    await subject.service.restart();
    await append(subject, token, { offset: LINE.length, body: LINE });
    expect((await complete(subject, token)).json.accepted).toBe(2);
  });
});
