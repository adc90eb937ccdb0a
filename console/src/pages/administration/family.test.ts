// What all families of the administration share, and who may change a user.

import { describe, expect, it } from 'vitest';
import { en } from '#console/labels/en.ts';
import { answerConsole } from '#test/support/console-answers.ts';
import { FAMILY_IDS } from './address.ts';
import { families } from './families/index.ts';
import { mayChangeUser } from './families/user.ts';
import { listed } from './family.ts';

const REQUEST = { offset: 0, limit: 50, scope: '', locale: 'en', options: {} } as const;

describe('The families', () => {
  it('are those that an address may name, in the order of the page, each with a name', () => {
    expect(families.map(({ id }) => id)).toEqual(FAMILY_IDS);
    expect(families.filter(({ id }) => !en.administration.families[id])).toEqual([]);
  });

  it('list their records page by page', async () => {
    const requests = answerConsole({
      'GET /api/core/companies': () => ({ total_count: 7, companies: [{ guid: 'c' }] }),
    });
    const list = listed('GET /api/core/companies', ({ companies }) => companies);
    expect(await list({ ...REQUEST, offset: 50 })).toEqual({ total: 7, records: [{ guid: 'c' }] });
    await list({ ...REQUEST, keywords: '한 글', options: { isRefresh: true } });
    expect(requests.map(({ params, isRefresh }) => [params, isRefresh])).toEqual([
      [{ offset: '50', limit: '50' }, false],
      [{ offset: '0', limit: '50', keywords: '한 글' }, true],
    ]);
  });
});

describe('A user', () => {
  it.each([
    ['MASTER', 'MASTER', true],
    ['MASTER', 'ADMIN', false],
    ['ADMIN', 'ADMIN', true],
    ['MEMBER', 'ADMIN', true],
  ] as const)('with the role %s may be changed by a %s: %s', (role, account, isAllowed) => {
    // The roles alone are read.
    const [user, reader] = [{ role_name: role }, { role_name: account }] as unknown as Parameters<typeof mayChangeUser>;
    expect(mayChangeUser(user, reader)).toBe(isAllowed);
  });
});
