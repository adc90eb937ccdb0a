// What a start says about the console: at a terminal with a link that signs in, elsewhere without, because its output may be a log.

import { describe, expect, it } from 'vitest';
import { callerOf, makeHome } from '#test/support/process.ts';
import { hasTerminals, serveAtTerminal } from '#test/support/terminal-process.ts';

it('A start without a terminal prints the address of the console, and no code', async () => {
  using home = makeHome();
  const running = home.serve();
  const url = await running.ready();
  await running.said(`The console is at ${url}/`);
  await running.said('Try it:');
  const { stdout, stderr } = running.output();
  expect(stdout + stderr).not.toContain('code=');
});

describe.skipIf(!hasTerminals)('A start at a terminal', () => {
  it('prints the address of the console and a link that signs in once; no log line has the code', async () => {
    const { output } = await serveAtTerminal('info');
    await expect.poll(output).toContain('Try it:');
    const [, url = '', code = ''] = /^ {2}(\S+)\/#code=([\w-]{43})\r?$/m.exec(output()) ?? [];
    expect(output()).toContain(`The console is at ${url}/`);
    const signedIn = await callerOf(url).call('POST', '/api/core/sessions', { form: { code } });
    expect(signedIn.json.user.login).toBe('master');
    expect((await callerOf(url).call('POST', '/api/core/sessions', { form: { code } })).status).toBe(401);
    await expect.poll(output).toContain('/api/core/sessions');
    expect(output().split(code)).toHaveLength(2);
  });
});
