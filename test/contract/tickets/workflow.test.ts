// How a ticket goes from one status to the next, step by step.

import { expect, it } from 'vitest';
import { type Account, created, createTeam } from '#test/support/accounts.ts';
import { auditLogs } from '#test/support/audit.ts';
import { onEachDatabase, outcome, refused, type Subject } from '#test/support/suites.ts';

const TICKETS = '/api/core/tickets';
const DONE = [200, {}];
const illegal = (message: string) => refused(500, 'illegal-state', message);

/** The steps of a ticket: who does what, how that is answered, and what the ticket is then. */
type Step = readonly [
  who: 'ann' | 'bob' | 'eve' | 'zoe',
  action: 'assignee-status' | 'approver-status' | 'submit',
  status: string,
  answer: readonly unknown[],
  then: string,
];

onEachDatabase('The status of a ticket', (subject) => {
  const OTHERS = { assignees: ['ann', 'bob'], approvers: [] as string[] };
  const APPROVED = { assignees: ['ann', 'bob'], approvers: ['eve', 'zoe'] };

  const cases: readonly (readonly [string, { assignees: string[]; approvers: string[] }, string, readonly Step[]])[] = [
    [
      'without anybody',
      { assignees: [], approvers: [] },
      'NEW',
      [
        ['ann', 'assignee-status', 'CLOSED', illegal('not assigned'), 'NEW'],
        ['ann', 'submit', '', illegal('not assigned'), 'NEW'],
        ['ann', 'approver-status', 'APPROVED', illegal('not assigned'), 'NEW'],
      ],
    ],
    [
      'without approvers',
      OTHERS,
      'ASSIGNED',
      [
        ['eve', 'assignee-status', 'CLOSED', illegal('not assigned'), 'ASSIGNED'],
        ['ann', 'assignee-status', 'ASSIGNED', DONE, 'ASSIGNED'],
        ['ann', 'submit', '', illegal('no-approvers'), 'ASSIGNED'],
        ['ann', 'assignee-status', 'IN_PROGRESS', DONE, 'IN_PROGRESS'],
        ['ann', 'assignee-status', 'CLOSED', DONE, 'IN_PROGRESS'],
        ['bob', 'assignee-status', 'CLOSED', DONE, 'CLOSED'],
        ['bob', 'assignee-status', 'IN_PROGRESS', DONE, 'CLOSED'],
      ],
    ],
    [
      'with approvers',
      APPROVED,
      'ASSIGNED',
      [
        [
          'eve',
          'approver-status',
          'APPROVED',
          illegal('cannot approve or reject unsubmitted ticket: GUID'),
          'ASSIGNED',
        ],
        ['ann', 'assignee-status', 'IN_PROGRESS', DONE, 'IN_PROGRESS'],
        ['ann', 'assignee-status', 'CLOSED', DONE, 'IN_PROGRESS'],
        ['ann', 'submit', '', illegal('not-completed'), 'IN_PROGRESS'],
        ['bob', 'assignee-status', 'CLOSED', DONE, 'IN_PROGRESS'],
        ['eve', 'submit', '', illegal('not assigned'), 'IN_PROGRESS'],
        ['bob', 'submit', '', DONE, 'SUBMITTED'],
        ['ann', 'approver-status', 'APPROVED', illegal('not assigned'), 'SUBMITTED'],
        ['eve', 'approver-status', 'APPROVED', DONE, 'SUBMITTED'],
        ['zoe', 'approver-status', 'REJECTED', DONE, 'REJECTED'],
        [
          'zoe',
          'approver-status',
          'APPROVED',
          illegal('cannot approve or reject unsubmitted ticket: GUID'),
          'REJECTED',
        ],
        ['ann', 'assignee-status', 'IN_PROGRESS', DONE, 'IN_PROGRESS'],
        ['ann', 'submit', '', illegal('not-completed'), 'IN_PROGRESS'],
        ['ann', 'assignee-status', 'CLOSED', DONE, 'IN_PROGRESS'],
        ['ann', 'submit', '', DONE, 'SUBMITTED'],
        ['ann', 'submit', '', DONE, 'SUBMITTED'],
        // Approvers would close it unfinished.
        ['ann', 'assignee-status', 'IN_PROGRESS', illegal('ticket is submitted: GUID'), 'SUBMITTED'],
        ['ann', 'assignee-status', 'CLOSED', DONE, 'SUBMITTED'],
        // What was approved before it was rejected counts no longer.
        ['zoe', 'approver-status', 'APPROVED', DONE, 'SUBMITTED'],
        ['eve', 'approver-status', 'APPROVED', DONE, 'CLOSED'],
        ['ann', 'submit', '', illegal('ticket is closed: GUID'), 'CLOSED'],
        ['eve', 'approver-status', 'REJECTED', illegal('cannot approve or reject unsubmitted ticket: GUID'), 'CLOSED'],
      ],
    ],
  ];

  it.each(cases)('%s', async (name, people, beginning, steps) => {
    const users = await fourUsers(subject, name);
    const guidsOf = (names: readonly string[]) => names.map((one) => users[one]?.guid).join();
    const shared = JSON.stringify(Object.values(users).map(({ guid }) => guid));
    const repo = await created(subject, '/api/core/ticket-repos', { name, shared_users: shared });
    const guid = await created(subject, TICKETS, {
      repo_guid: repo,
      title: name,
      priority: '1',
      assignees: guidsOf(people.assignees),
      approvers: guidsOf(people.approvers),
    });
    const now = async () => (await subject.call('GET', `${TICKETS}/${guid}`)).json.ticket;
    expect((await now()).status).toBe(beginning);
    for (const [who, action, status, answer, then] of steps) {
      const method = action === 'submit' ? 'POST' : 'PUT';
      const options = { key: users[who]?.key ?? '', ...(status === '' ? {} : { form: { status } }) };
      const told = outcome(await subject.call(method, `${TICKETS}/${guid}/${action}`, options));
      const step = `${who} ${action} ${status}`;
      expect([step, ...told]).toEqual([step, ...JSON.parse(JSON.stringify(answer).replace('GUID', guid))]);
      expect([step, (await now()).status]).toEqual([step, then]);
    }
    // One entry for each step, whether or not it was refused.
    const written = (await auditLogs(subject, 'locale=en')).filter(({ params }) => params?.guid === guid);
    expect(written.length).toBe(steps.length);
    const { status, closed_at } = await now();
    expect(closed_at).toBe(status === 'CLOSED' ? '2024-03-01 00:00:00+0000' : null);
  });
});

async function fourUsers(subject: Subject, name: string): Promise<Readonly<Record<string, Account>>> {
  const company = name.replaceAll(' ', '-');
  const users: Record<string, Account> = {};
  for (const one of ['ann', 'bob', 'eve', 'zoe']) users[one] = (await createTeam(subject, `${company}-${one}`)).member;
  return users;
}
