// Scenarios of pushes to a table: answer, effect and audit entry of each.

import { beforeAll, expect, it } from 'vitest';
import { createAccount, createKey } from './accounts.ts';
import { entriesOf } from './audit.ts';
import { rowsOf, sent } from './logs.ts';
import type { CallOptions, Reply } from './service.ts';
import { outcome, type Subject } from './suites.ts';

export interface PushScenario {
  readonly it: string;
  readonly by?: 'admin' | 'member' | 'reader' | 'writer' | 'sender' | 'stranger';
  /** Table and query string. */
  readonly to: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly answers: readonly unknown[];
  /** Records that the push adds to the table, oldest first; undefined where the table must be absent. */
  readonly keeps: readonly object[] | undefined;
  readonly audits?: readonly object[];
}

/** The answer to a push that is taken. */
export const took = (accepted: number, rejected: readonly object[] = []) => [
  200,
  { accepted, rejected, rejected_count: rejected.length },
];

/** A test for each scenario, in this order, on a table `web` that the account `reader` may read and `writer` may write. */
export function pushScenarios(subject: Subject, scenarios: readonly PushScenario[]): void {
  const { call } = subject;
  const keys = new Map<string, string | null>([['stranger', null]]);
  beforeAll(async () => {
    const guids = new Map<string, string>();
    for (const [login, role] of [
      ['admin', 'ADMIN'],
      ['member', 'MEMBER'],
      ['reader', 'MEMBER'],
      ['writer', 'MEMBER'],
    ] as const) {
      const { key, guid } = await createAccount(subject, role, { login });
      keys.set(login, key);
      guids.set(login, guid);
    }
    keys.set('sender', (await createKey(subject, guids.get('admin') ?? '', { scope: 'push' })).key);
    await call('POST', '/api/core/tables', { form: { table: 'web' } });
    const shared_users = [
      { guid: guids.get('reader'), read_only: true },
      { guid: guids.get('writer'), read_only: false },
    ];
    await call('PUT', '/api/core/tables/web', { json: { shared_users } });
    await call('POST', '/api/core/parsers', { form: { code: 'pairs', name: 'pairs', factory_name: 'keyvalue' } });
  });

  const pushed = ({ by, to, type = 'application/x-ndjson', headers, body = '' }: PushScenario): Promise<Reply> => {
    const [table, query = ''] = to.split('?');
    const options: CallOptions = {
      ...(by === undefined ? {} : { key: keys.get(by) ?? null }),
      headers: { ...(type === '' ? {} : { 'content-type': type }), ...headers },
      // Bytes get no content type of their own.
      body: typeof body === 'string' ? Buffer.from(body) : body,
    };
    return call('POST', `/api/core/tables/${table}/logs?${query}`, options);
  };
  const countOf = async (table: string) => (await rowsOf(subject, `table ${table} | stats count`))[0].count;
  const isThere = async (table: string) => (await call('GET', `/api/core/tables/${table}`)).json.table !== null;

  for (const scenario of scenarios) {
    it(scenario.it, async () => {
      const [table = ''] = scenario.to.split('?');
      const before = (await isThere(table)) ? await countOf(table) : 0;
      let answer: unknown;
      const entries = await entriesOf(subject, async () => {
        answer = outcome(await pushed(scenario));
      });
      expect(answer).toEqual(scenario.answers);
      expect(entries).toMatchObject(scenario.audits ?? []);
      expect(await isThere(table)).toBe(scenario.keeps !== undefined);
      if (!scenario.keeps) return;
      expect((await countOf(table)) - before).toBe(scenario.keeps.length);
      const rows = await rowsOf(subject, `table order=asc ${table}`);
      expect(rows.slice(before).map(sent)).toEqual(scenario.keeps);
    });
  }
}
