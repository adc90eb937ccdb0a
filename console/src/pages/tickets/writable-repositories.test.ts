// The repositories that a reader may write to, and refusals of moves.

import { describe, expect, it } from 'vitest';
import { ServiceError, Unreachable } from '#console/client/service-error.ts';
import type { Account } from '#console/client/session.ts';
import { en } from '#console/labels/en.ts';
import { answerConsole } from '#test/support/console-answers.ts';
import { refusalText } from './use-moves.ts';
import { writableRepositories } from './writable-repositories.ts';

const account = (role_name: Account['role_name']) => ({ guid: 'kim', role_name }) as Account; // The fields that are read.
const REPOSITORIES = ['own', 'group', 'read', 'none', 'gone'].map((guid) => ({ guid, name: `Repository ${guid}` }));

describe('Repositories to write to', () => {
  const GRANTS: Readonly<Record<string, object | null>> = {
    own: { shared_users: [{ guid: 'kim', read_only: false }], shared_groups: [] },
    group: { shared_users: [], shared_groups: [{ guid: 'g', read_only: false }] },
    read: { shared_users: [{ guid: 'kim', read_only: true }], shared_groups: [] },
    none: { shared_users: [{ guid: 'lee', read_only: false }], shared_groups: [{ guid: 'h', read_only: false }] },
    gone: null,
  };
  const serve = (users: readonly object[]) =>
    answerConsole({
      'GET /api/core/ticket-repos': () => ({ ticket_repos: REPOSITORIES }),
      'GET /api/core/users': () => ({ users }),
      'GET /api/core/ticket-repos/:guid': ({ params }) => ({ ticket_repo: GRANTS[String(params.guid)] }),
    });

  it('are all to an administrator', async () => {
    const requests = serve([]);
    expect(await writableRepositories(account('ADMIN'))).toEqual(REPOSITORIES);
    expect(requests).toHaveLength(1);
  });

  it('are to a member those that are shared for writing, with it or with a group of its own', async () => {
    serve([{ user_group_guids: ['g'] }]);
    expect((await writableRepositories(account('MEMBER'))).map(({ guid }) => guid)).toEqual(['own', 'group']);
  });

  it('are those of the member alone where its groups are not known', async () => {
    serve([]);
    expect((await writableRepositories(account('MEMBER'))).map(({ guid }) => guid)).toEqual(['own']);
  });
});

describe('A refused move', () => {
  const refused = (message: string, code = 'illegal-state') =>
    refusalText(new ServiceError(500, 'r', { error_code: code, error_msg: message }), en);
  const { refusals } = en.tickets;

  it.each([
    ['cannot approve or reject unsubmitted ticket: t', refusals.unsubmitted],
    ['ticket is submitted: t', refusals.submitted],
    ['ticket is closed: t', refusals.closed],
    ['not assigned', refusals['not assigned']],
    ['no-approvers', refusals['no-approvers']],
    ['not-completed', refusals['not-completed']],
    ['no-permission', en.failures['no-permission']],
    ['something else', 'The service has refused: something else'],
  ])('%j is explained', (message, text) => expect(refused(message)).toBe(text));

  it('has the text of the service where there is one', () => {
    expect(refused('slow down', 'too-many-requests')).toBe(`${en.failures['too-many-requests']} slow down`);
    expect(refusalText(new Unreachable(), en)).toBe(en.failures.unreachable);
  });
});
