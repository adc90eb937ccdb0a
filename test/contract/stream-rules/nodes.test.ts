// Several nodes on one database: what one changes judges the logs of the others before long.

import { expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { PATIENCE } from '#test/support/detection.ts';
import {
  createGroup,
  createStream,
  createStreamRule,
  found,
  GROUPS,
  STREAM_RULES,
} from '#test/support/stream-rules.ts';
import { onTwoNodes } from '#test/support/suites.ts';

onTwoNodes('Stream rules', (nodes) => {
  it('judge by what the other service has changed: rules and addresses', async () => {
    const { one, other } = nodes;
    const stream = await createStream(other);
    const group = await createGroup(other);
    let n = 0;
    /** Whether the newest log is found. */
    const isFound = async (rule: string) => {
      n += 1;
      await stream.push({ n, ip: '10.0.0.1' });
      return (await found(other, rule)).includes(n);
    };
    const { schema } = stream;
    const rule = await createStreamRule(one, { schema, where: ['search n'] });
    await expect.poll(() => isFound(rule), PATIENCE).toBe(true);
    await one.call('POST', `${STREAM_RULES}/${rule}/disable`);
    await expect.poll(() => isFound(rule), PATIENCE).toBe(false);
    const known = await createStreamRule(other, { schema, where: [`matchnet field=ip guid=${group}`] });
    expect(await isFound(known)).toBe(false);
    await created(one, `${GROUPS}/${group}/addresses`, { ip: '10.0.0.0/24' });
    await expect.poll(() => isFound(known), PATIENCE).toBe(true);
  });
});
