import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { translatorFor } from '#cli/kit/translator.ts';
import { Capture } from '#test/support/cli.ts';
import { type Service, startService } from '#test/support/service.ts';
import { printConsole } from './console-link.ts';

describe('The console in the output of vigil serve', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ alone: 'process' });
  });
  afterAll(() => service[Symbol.asyncDispose]());

  async function printed(isTerminal: boolean): Promise<string> {
    const stdout = new Capture(isTerminal);
    const print = (line: string) => void stdout.write(`${line}\n`);
    await printConsole(service.app, { translator: translatorFor({}), print, streams: { stdout, stderr: stdout } });
    return stdout.text;
  }

  it('is its address, and at a terminal also a link that signs in once', async () => {
    const address = `The console is at ${service.url}/\n`;
    const shown = await printed(true);
    expect(shown.startsWith(address)).toBe(true);
    const [, code = ''] = /^ {2}\S+\/#code=([\w-]{43})$/m.exec(shown) ?? [];
    const signIn = () => service.call('POST', '/api/core/sessions', { key: null, form: { code } });
    const { status, json } = await signIn();
    expect([status, json.user.login]).toEqual([200, 'master']);
    expect((await signIn()).status).toBe(401);
  });

  it('is its address alone where the output may be a log', async () => {
    expect(await printed(false)).toBe(`The console is at ${service.url}/\n`);
    const { json } = await service.call('GET', '/api/core/audit-logs?keywords=code');
    const made = json.audit_logs.filter(
      ({ module, method }: Record<string, unknown>) => `${module}.${method}` === 'auth.code',
    );
    expect(made).toHaveLength(1);
  });
});
