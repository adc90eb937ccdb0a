// Queries that take hours, more of them than there are processors, and one that takes a moment: it is answered, of their account
// and of another, and they go on.

import { describe, expect, it } from 'vitest';
import { createAccount } from '#test/support/accounts.ts';
import { createLogger, push } from '#test/support/logs.ts';
import { openCursor, statusOf } from '#test/support/queries.ts';
import { type Subject, serviceFor } from '#test/support/suites.ts';

const ENDLESS = [
  'json "{a:1}" | repeat count=1000000000 | eval b = seq() | search b < 0',
  'json "{a:1}" | repeat count=1000000000 | eval b = seq() | stats max(b) by a',
  'json "{a:1}" | repeat count=1000000000 | evalc z = $("z", 0) + 1 | search z < 0',
];

describe('Beside queries of hours', () => {
  const subject = serviceFor();

  it('one of a moment is answered, and they go on', { timeout: 120_000 }, async () => {
    const logger = await createLogger(subject, { table: 'web' });
    await push(subject, logger, { body: '{"n":7}' });
    const { key } = await createAccount(subject, 'ADMIN', { login: 'other' });
    const texts = Array.from({ length: 12 }, (_, at) => ENDLESS[at % ENDLESS.length] ?? '');
    const ids = await Promise.all(texts.map((q) => openCursor(subject, q)));
    // Who takes long is seen as time goes by.
    using _passing = passing(subject);
    for (const how of [{}, { key }, {}]) {
      const q = encodeURIComponent('table web | fields n');
      expect((await subject.call('GET', `/api/core/query?q=${q}`, how)).text).toBe('{"n":7}\n');
    }
    for (const id of ids) expect(await statusOf(subject, id)).toMatchObject({ is_finished: false });
    for (const id of ids) await subject.call('POST', `/api/core/queries/${id}/cancel`);
  });
});

function passing({ clock }: Subject): Disposable {
  const timer = setInterval(() => clock.advance({ milliseconds: 250 }), 50);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
