import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { outcome, refused, serviceFor } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';
import { append, cancel, complete, opened } from '#test/support/uploads.ts';

const LINES = 40_000;
const LOGS = Buffer.from(Array.from({ length: LINES }, (_, n) => `{"n":${n},"pad":"${'x'.repeat(80)}"}\n`).join(''));
const PROFILE = 'cccccccc-0000-4000-8000-00000000000c';
const KEPT = {
  plain: {},
  checked: { crypto_profile_guid: PROFILE },
  sealed: { crypto_profile_guid: PROFILE, encryption: 'true' },
};

describe('A table that is dropped while an upload is imported into it', () => {
  const subject = serviceFor();
  const { call } = subject;
  const folders = async (table: string) =>
    readdirSync(join(subject.service.config.data, 'tables')).filter((name) => name.startsWith(`${table}.`));

  it.each(Object.entries(KEPT))('is not found, and leaves nothing: %s', async (kind, storage) => {
    if (kind === 'checked') await created(subject, '/api/core/crypto-profiles', { guid: PROFILE, name: 'p' });
    for (const delay of [0, 15, 40, 80, 130, 200, 300]) {
      const table = `${kind}_${delay}`;
      await call('POST', '/api/core/tables', { form: { table, ...storage } });
      const token = await opened(subject, { file_size: LOGS.length, metadata: { table } });
      await append(subject, token, { offset: 0, body: LOGS });
      const completing = complete(subject, token);
      await sleep(delay);
      expect(outcome(await call('DELETE', `/api/core/tables/${table}`))).toEqual([200, {}]);
      const completed = await completing;
      if (completed.status === 200) expect(completed.json.accepted).toBe(LINES);
      else {
        expect(outcome(completed), table).toEqual(refused(500, 'illegal-state', `table not found: ${table}`));
        expect(outcome(await cancel(subject, token))).toEqual([200, {}]);
      }
      const left = await until(
        () => folders(table),
        (names) => names.length === 0,
      );
      expect(left).toEqual([]);
    }
    expect(readdirSync(join(subject.service.config.data, 'uploads'))).toEqual([]);
  });
});
