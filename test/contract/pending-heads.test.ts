// Requests whose headers do not end: anybody may send them.

import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { serviceFor } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';

describe('Headers that do not end', () => {
  const subject = serviceFor({ alone: 'connection' });

  it('are held up to 32 MiB in all; the connections that hold most of them are closed', async () => {
    const { hostname, port } = new URL(subject.service.url);
    const head = Buffer.from(`GET /healthz HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(900 * 1024)}`);
    const sockets = await Promise.all(
      Array.from({ length: 60 }, async () => {
        const socket = connect(Number(port), hostname);
        socket.on('error', () => undefined);
        await new Promise((resolve) => socket.write(head, resolve));
        return socket;
      }),
    );
    const closed = await until(
      async () => {
        subject.clock.advance({ milliseconds: 100 });
        return sockets.filter(({ closed }) => closed).length;
      },
      (count) => count >= 24,
    );
    expect(closed).toBeGreaterThanOrEqual(24);
    expect(closed).toBeLessThan(60);
    expect((await subject.call('GET', '/healthz')).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });
});
