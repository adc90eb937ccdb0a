// Moves of tickets: which an account may make, why not the others, and what is sent.

import { describe, expect, it } from 'vitest';
import { answerConsole } from '#test/support/console-answers.ts';
import { makeMove, movesOf, moveTo, TARGETS } from './ticket-moves.ts';
import type { Ticket } from './tickets-search.ts';

type Task = Ticket['assignees'][number];
const task = (user: string, fields: Partial<Task> = {}): Task =>
  ({ user_guid: user, user_name: user, task_type: 'ASSIGNEE', task_status: 'ASSIGNED', ...fields }) as Task; // The fields that are read.
const done = (user: string) => task(user, { task_status: 'CLOSED' });
const approver = (user: string) => task(user, { task_type: 'APPROVER' });
const ticket = (status: Ticket['status'], ...assignees: Task[]) => ({ guid: 't', status, assignees });

describe('The moves of an account', () => {
  it.each([
    ['nobody is assigned', ticket('NEW'), []],
    ['others are assigned', ticket('ASSIGNED', task('lee')), []],
    ['it is assigned', ticket('ASSIGNED', task('kim')), ['begin', 'finish']],
    ['it has begun', ticket('IN_PROGRESS', task('kim', { task_status: 'IN_PROGRESS' })), ['finish']],
    ['its work is to be approved', ticket('ASSIGNED', task('kim'), approver('lee')), ['begin', 'finish', 'submit']],
    ['another task is not done', ticket('ASSIGNED', task('kim'), task('park'), approver('lee')), ['begin', 'finish']],
    [
      'all others are done',
      ticket('ASSIGNED', task('kim'), done('park'), approver('lee')),
      ['begin', 'finish', 'submit'],
    ],
    ['its own task is done', ticket('IN_PROGRESS', done('kim'), task('park')), ['begin']],
    ['its work is submitted', ticket('SUBMITTED', done('kim'), approver('lee')), []],
    ['it approves', ticket('SUBMITTED', done('lee'), approver('kim')), ['approve', 'reject']],
    ['nothing is submitted to it yet', ticket('ASSIGNED', task('lee'), approver('kim')), []],
    ['the work was rejected', ticket('REJECTED', done('kim'), approver('lee')), ['begin', 'submit']],
    ['the ticket is closed', ticket('CLOSED', task('kim')), []],
    ['the ticket is approved', ticket('APPROVED', task('kim')), []],
    // Tasks of removed users are not waited for.
    [
      'a removed user has not finished',
      ticket('ASSIGNED', task('kim'), task('gone', { user_name: null }), approver('lee')),
      ['begin', 'finish', 'submit'],
    ],
    [
      'the only approver is removed',
      ticket('ASSIGNED', task('kim'), { ...approver('lee'), user_name: null }),
      ['begin', 'finish'],
    ],
  ])('where %s', (_, given, moves) => {
    expect(movesOf(given, 'kim')).toEqual(moves);
  });
});

describe('A ticket that is dropped', () => {
  it.each([
    ['NEW', ticket('NEW'), 'same'],
    ['CLOSED', ticket('APPROVED'), 'same'],
    ['IN_PROGRESS', ticket('CLOSED', task('kim')), 'closed'],
    ['NEW', ticket('ASSIGNED', task('kim')), 'derived'],
    ['ASSIGNED', ticket('NEW', task('kim')), 'derived'],
    ['IN_PROGRESS', ticket('ASSIGNED', task('kim')), 'begin'],
    ['IN_PROGRESS', ticket('NEW'), 'unassigned'],
    ['IN_PROGRESS', ticket('ASSIGNED', task('lee')), 'notAssignee'],
    ['IN_PROGRESS', ticket('SUBMITTED', done('kim'), approver('lee')), 'needsApproval'],
    ['CLOSED', ticket('ASSIGNED', task('kim')), 'finish'],
    ['CLOSED', ticket('ASSIGNED', done('kim'), task('lee')), 'notCompleted'],
    ['CLOSED', ticket('ASSIGNED', task('kim'), approver('lee')), 'needsApproval'],
    ['CLOSED', ticket('ASSIGNED', task('lee'), approver('kim')), 'notAssignee'],
    ['CLOSED', ticket('SUBMITTED', done('lee'), approver('kim')), 'approve'],
    ['CLOSED', ticket('SUBMITTED', done('kim'), approver('lee')), 'notApprover'],
    ['REJECTED', ticket('SUBMITTED', done('lee'), approver('kim')), 'reject'],
    ['REJECTED', ticket('ASSIGNED', task('lee'), approver('kim')), 'notSubmitted'],
    ['SUBMITTED', ticket('ASSIGNED', task('kim'), approver('lee')), 'submit'],
    ['SUBMITTED', ticket('ASSIGNED', task('kim')), 'noApprovers'],
    ['SUBMITTED', ticket('ASSIGNED', task('kim'), task('park'), approver('lee')), 'notCompleted'],
  ] as const)('on %s: %j', (column, given, outcome) => {
    expect(moveTo(column, given, 'kim')).toBe(outcome);
  });

  it('goes to the column that the move leads to', () => {
    expect(TARGETS).toEqual({
      begin: 'IN_PROGRESS',
      finish: 'CLOSED',
      submit: 'SUBMITTED',
      approve: 'CLOSED',
      reject: 'REJECTED',
    });
  });
});

describe('A move', () => {
  const ASSIGNEE = 'PUT /api/core/tickets/:guid/assignee-status';
  const APPROVER = 'PUT /api/core/tickets/:guid/approver-status';
  const SUBMIT = 'POST /api/core/tickets/:guid/submit';

  it.each([
    ['begin', task('kim'), [[ASSIGNEE, 'IN_PROGRESS']]],
    ['finish', task('kim'), [[ASSIGNEE, 'CLOSED']]],
    // The own part is reported before the work is submitted.
    [
      'submit',
      task('kim'),
      [
        [ASSIGNEE, 'CLOSED'],
        [SUBMIT, undefined],
      ],
    ],
    ['submit', done('kim'), [[SUBMIT, undefined]]],
    ['approve', done('lee'), [[APPROVER, 'APPROVED']]],
    ['reject', done('lee'), [[APPROVER, 'REJECTED']]],
  ] as const)('%s with %j sends what it means', async (move, own, sent) => {
    const requests = answerConsole({ [ASSIGNEE]: () => ({}), [APPROVER]: () => ({}), [SUBMIT]: () => ({}) });
    await makeMove(move, ticket('ASSIGNED', own), 'kim');
    expect(requests.map(({ operation, params }) => [operation, params.status])).toEqual(sent);
    expect(requests.every(({ params }) => params.guid === 't')).toBe(true);
  });
});
