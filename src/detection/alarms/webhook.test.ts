import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#kernel/time/clock.ts';
import { Webhook } from '#test/support/webhook.ts';
import { postWebhook, remoteOnly } from './webhook.ts';

describe('A webhook', () => {
  let webhook: Webhook;
  beforeAll(async () => {
    webhook = await Webhook.open();
  });
  afterAll(() => webhook.close());
  const told = (url: string, targets: 'any' | 'remote') =>
    postWebhook(
      { url, body: '{}', secret: Buffer.from('s') },
      { targets, clock: systemClock, until: new AbortController().signal },
    );
  const notAllowed = { status: null, failure: { error: 'not-allowed', reason: 'target is not allowed' } };

  it('on this machine is called only where the setting allows it', async () => {
    expect(await told(webhook.url, 'remote')).toEqual(notAllowed);
    expect(await told(webhook.url.replace('127.0.0.1', 'localhost'), 'remote')).toEqual(notAllowed);
    expect(webhook.told).toEqual([]);
    expect(await told(webhook.url, 'any')).toEqual({ status: 200 });
    expect(webhook.told.length).toBe(1);
  });

  it('of an earlier version is called with the user and password of its url', async () => {
    expect(await told(webhook.url.replace('//', '//user:pass@'), 'any')).toEqual({ status: 200 });
    expect(webhook.told.at(-1)?.headers.authorization).toBe(`Basic ${btoa('user:pass')}`);
  });

  it('that cannot be reached is told by the code of the failure', async () => {
    const gone = await Webhook.open();
    gone.close();
    expect(await told(gone.url, 'any')).toEqual({
      status: null,
      failure: { error: 'unreachable', reason: 'ECONNREFUSED' },
    });
  });

  it.each([
    [['10.0.0.1', '127.0.0.1'], 'target is not allowed'],
    [['::1'], 'target is not allowed'],
    [['169.254.169.254'], 'target is not allowed'],
    [['::ffff:127.0.0.1'], 'target is not allowed'],
    [['64:ff9b::a9fe:a9fe'], 'target is not allowed'],
    [['2002:7f00:1::1'], 'target is not allowed'],
    [['::7f00:1'], 'target is not allowed'],
    [['fd00:ec2::254'], 'target is not allowed'],
    [['100.100.100.200'], 'target is not allowed'],
    [['10.0.0.1', 'ff02::1'], 'target is not allowed'],
    [['10.0.0.1', '2001:db8::1'], undefined],
  ])('whose name leads to %j: %s', (addresses, trouble) => {
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    const lookup = remoteOnly((_host, _options, answer) => answer(null, found));
    lookup('hook.example.com', { all: true }, (error, result) => {
      expect(error?.message).toBe(trouble);
      expect(result).toEqual(trouble === undefined ? found : []);
    });
    lookup('hook.example.com', {}, (error, result) => {
      expect([error?.message, result]).toEqual([trouble, trouble === undefined ? '10.0.0.1' : []]);
    });
    expect.assertions(3);
  });
});
