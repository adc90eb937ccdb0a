import { expect, it } from 'vitest';
import { type Account, createAccount, createTeam } from '#test/support/accounts.ts';
import { createLogger, push, rowsOf } from '#test/support/logs.ts';
import { NO_PERMISSION, onEachDatabase, outcome, refused } from '#test/support/suites.ts';

const TOOK_ONE = [200, { accepted: 1, rejected: [], rejected_count: 0 }];

onEachDatabase('The right to push', (subject) => {
  const { call } = subject;
  const groups = new Map<string, string>();
  let logger = '';
  let member: Account;

  const share = (grants: object) => call('PUT', '/api/core/tables/web', { json: grants });
  const pushed = async (key: string | null) => outcome(await push(subject, logger, { key, body: '{"a":1}' }));
  const unseen = () => refused(500, 'illegal-state', `logger not found: ${logger}`);
  const grant = (name: string, read_only: boolean) => ({ guid: groups.get(name) ?? member.guid, read_only });

  it('is that of an administrator of any company, and of nobody without a key', async () => {
    logger = await createLogger(subject, { table: 'web' });
    const { admin, company } = await createTeam(subject, 'away');
    expect(await pushed(admin.key)).toEqual(TOOK_ONE);
    expect((await pushed(null))[0]).toBe(401);
    member = await createAccount(subject, 'MEMBER', { login: 'sender', company_guid: company });
    for (const name of ['readers', 'writers']) {
      const form = { name, company_guid: company, user_guids: member.guid };
      groups.set(name, (await call('POST', '/api/core/user-groups', { form })).json.guid);
    }
  });

  // What a MEMBER has been granted, itself and through its groups, and what it hears.
  const TABLE: readonly [string, readonly [string, boolean][], 'unseen' | 'refused' | 'taken'][] = [
    ['nothing', [], 'unseen'],
    ['reading', [['itself', true]], 'refused'],
    ['writing', [['itself', false]], 'taken'],
    ['reading, by a group', [['readers', true]], 'refused'],
    ['writing, by a group', [['writers', false]], 'taken'],
    [
      'reading, by two groups',
      [
        ['readers', true],
        ['writers', true],
      ],
      'refused',
    ],
    [
      'reading, and writing by a group',
      [
        ['itself', true],
        ['writers', false],
      ],
      'taken',
    ],
    [
      'writing, and reading by a group',
      [
        ['itself', false],
        ['readers', true],
      ],
      'taken',
    ],
    [
      'reading and writing by two groups',
      [
        ['readers', true],
        ['writers', false],
      ],
      'taken',
    ],
    ['nothing any more', [], 'unseen'],
  ];
  for (const [what, grants, answer] of TABLE) {
    it(`of a MEMBER that was granted ${what}: ${answer}`, async () => {
      const before = (await rowsOf(subject, 'table web | stats count'))[0].count;
      await share({
        shared_users: grants.filter(([name]) => name === 'itself').map(([name, only]) => grant(name, only)),
        shared_groups: grants.filter(([name]) => name !== 'itself').map(([name, only]) => grant(name, only)),
      });
      expect(await pushed(member.key)).toEqual({ unseen: unseen(), refused: NO_PERMISSION, taken: TOOK_ONE }[answer]);
      const after = (await rowsOf(subject, 'table web | stats count'))[0].count;
      expect(after - before).toBe(answer === 'taken' ? 1 : 0);
    });
  }

  it('goes with the membership, and with the group', async () => {
    await share({ shared_groups: [grant('writers', false)] });
    const path = `/api/core/user-groups/${groups.get('writers')}`;
    await call('PUT', path, { json: { name: 'writers', user_guids: [] } });
    expect(await pushed(member.key)).toEqual(unseen());
    await call('PUT', path, { json: { name: 'writers', user_guids: [member.guid] } });
    expect(await pushed(member.key)).toEqual(TOOK_ONE);
    await call('DELETE', '/api/core/user-groups', { form: { guids: groups.get('writers') ?? '' } });
    expect(await pushed(member.key)).toEqual(unseen());
  });
});
