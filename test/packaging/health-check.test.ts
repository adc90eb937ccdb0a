// The health check of the image, with the settings that a container may have.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { freePort } from '#test/support/free-port.ts';
import { startService } from '#test/support/service.ts';
import { ROOT } from '#test/support/sources.ts';
import { TRANSPORTS, trustedCertificate } from '#test/support/tls.ts';

const check = async (settings: Readonly<Record<string, string>>): Promise<number> => {
  const run = promisify(execFile)(process.execPath, [join(ROOT, 'packaging/healthy.mjs')], { env: settings });
  return await run.then(
    () => 0,
    ({ code }) => code,
  );
};

describe('The health check of the image', () => {
  it.each(TRANSPORTS)('says whether the service answers: %s', async (transport) => {
    await using service = await startService({ alone: 'connection', transport });
    const { port } = new URL(service.url);
    const settings = {
      VIGIL_HOST: '0.0.0.0',
      VIGIL_PORT: port,
      ...(transport === 'https' ? { VIGIL_TLS_CERT: trustedCertificate().cert } : {}),
    };
    expect(await check(settings)).toBe(0);
    expect(await check({ ...settings, VIGIL_HOST: '127.0.0.1' })).toBe(0);
    await service.stop();
    expect(await check(settings)).toBe(1);
  });

  it('fails where nothing listens', async () => {
    expect(await check({ VIGIL_PORT: String(await freePort()) })).toBe(1);
  });
});
