// Which errors of a run wait for a click.

import { expect, it } from 'vitest';
import { ServiceError } from '#console/client/service-error.ts';
import { answerConsole, refusal } from '#test/support/console-answers.ts';
import { changeIn } from './refusal.ts';
import { runToEnd } from './run-to-end.ts';

const failed = async (code: number): Promise<unknown> => {
  const mistakes = [{ code, message: 'no', begin: 12, end: 18 }];
  answerConsole({ 'POST /api/core/cursors': () => refusal(400, 'invalid-query', 'no', { mistakes }) });
  const request = { text: 'table web | import auth', interval: { from: 0, to: 1 } };
  return await runToEnd(request, new AbortController().signal).catch((error: unknown) => error);
};

it('A run that may only read names the command that changes something; other errors name none', async () => {
  expect(changeIn(await failed(92004))).toMatchObject({ begin: 12, end: 18 });
  const other = await failed(92000);
  expect(other).toBeInstanceOf(ServiceError);
  expect([changeIn(other), changeIn(new Error('x')), changeIn(undefined)]).toEqual([undefined, undefined, undefined]);
});
