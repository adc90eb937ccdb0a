// When a reader is asked whether unsaved input is discarded.

import { describe, expect, it } from 'vitest';
import { type Address, createHolds, type HoldOptions, isAt } from './holds.ts';
import { createQuestion } from './question.ts';

const HOME: Address = { pathname: '/', search: {} };

/** A form that holds something unsaved, and what the reader answers, in order. */
function form(options: HoldOptions = {}, ...answers: readonly boolean[]) {
  const given = [...answers];
  const holds = createHolds(async () => {
    const answer = given.shift();
    if (answer === undefined) throw new Error('nobody was to be asked');
    return answer;
  });
  const hold = holds.create(() => options);
  const hide = hold.show();
  hold.set(true);
  return { holds, hold, hide, given };
}

describe('Unsaved input', () => {
  it('is asked for before its page is left, and stays where the reader keeps it', async () => {
    const { holds } = form({}, false, true);
    expect(holds.hasUnsaved.get()).toBe(true);
    expect(await holds.mayLeave(HOME)).toBe(false);
    expect(holds.hasUnsaved.get()).toBe(true);
    expect(await holds.mayLeave(HOME)).toBe(true);
    expect(holds.hasUnsaved.get()).toBe(false);
  });

  it('is not asked for where a navigation keeps it, nor when it is gone or as it was', async () => {
    const { holds, hold, hide } = form({ staysAt: ({ pathname }) => pathname === '/' }, true);
    expect(await holds.mayLeave(HOME)).toBe(true);
    expect(holds.hasUnsaved.get()).toBe(true);
    // Signing out and loading again keep nothing.
    expect(await holds.mayLeave()).toBe(true);
    hold.set(true);
    hold.set(false);
    expect(await holds.mayLeave()).toBe(true);
    hold.set(true);
    hide();
    expect(holds.hasUnsaved.get()).toBe(false);
    expect(await holds.mayLeave()).toBe(true);
  });

  it('of a dialog is asked for without that of the page below', async () => {
    const { holds, hold } = form({}, true);
    const below = holds.create(() => ({}));
    below.show();
    below.set(true);
    expect(await hold.mayDiscard()).toBe(true);
    expect(holds.hasUnsaved.get()).toBe(true);
  });

  it('that is being saved is waited for: once it is saved nobody is asked', async () => {
    const { holds, hold } = form();
    const saving = Promise.withResolvers<string>();
    const saved = hold.during(saving.promise);
    const left = holds.mayLeave(HOME);
    saving.resolve('done');
    expect(await saved).toBe('done');
    expect(await left).toBe(true);
    expect(holds.hasUnsaved.get()).toBe(false);
  });

  it('that could not be saved is asked for', async () => {
    const { holds, hold } = form({}, false);
    const saving = Promise.withResolvers<void>();
    const saved = hold.during(saving.promise);
    const left = holds.mayLeave(HOME);
    saving.reject(new Error('refused'));
    await expect(saved).rejects.toThrow('refused');
    expect(await left).toBe(false);
    expect(holds.hasUnsaved.get()).toBe(true);
  });

  it('that was discarded by a navigation closes, if it is still shown afterwards', async () => {
    let closed = 0;
    const { holds } = form({ onDiscarded: () => (closed += 1) }, true);
    holds.closeDiscarded();
    expect(closed).toBe(0);
    await holds.mayLeave(HOME);
    holds.closeDiscarded();
    holds.closeDiscarded();
    expect(closed).toBe(1);
  });
});

it('A question is asked once, and everything that waits for it gets its answer', async () => {
  const question = createQuestion();
  const one = question.ask();
  const other = question.ask();
  expect(question.isOpen.get()).toBe(true);
  question.answer(true);
  expect(await Promise.all([one, other])).toEqual([true, true]);
  expect(question.isOpen.get()).toBe(false);
  const next = question.ask();
  question.answer(false);
  expect(await next).toBe(false);
});

it.each<[boolean, Address]>([
  [true, { pathname: '/rules', search: { edit: true, keywords: 'x' } }],
  [false, { pathname: '/rules', search: { edit: true, rule: 'a' } }],
  [false, { pathname: '/rules', search: {} }],
  [false, { pathname: '/', search: { edit: true } }],
])('It is %s that %j is the editor of a new rule', (isThere, address) => {
  expect(isAt(address, '/rules', { edit: true, rule: undefined })).toBe(isThere);
});
