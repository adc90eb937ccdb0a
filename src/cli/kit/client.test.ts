import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '#test/support/cli.ts';

const KEY = 'vgl_key';

describe('Where the service is and which key opens it', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'vigil-client-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const wrong = [
    {
      it: 'needs a key, and says how to give one',
      environment: {},
      says: 'no key was given: set the variable VIGIL_KEY, or name a file that holds the key with --key-file',
    },
    {
      it: 'needs a key that is not empty',
      environment: { VIGIL_KEY: '' },
      says: 'no key was given: set the variable VIGIL_KEY, or name a file that holds the key with --key-file',
    },
    {
      it: 'refuses a key that cannot be one',
      environment: { VIGIL_KEY: 'a\nb' },
      says: 'the key is malformed: it contains blanks, line breaks or characters that no key has',
    },
    {
      it: 'refuses a URL that is none',
      environment: { VIGIL_KEY: KEY, VIGIL_URL: 'localhost:80' },
      says: '`localhost:80` is not the address of a service, such as http://127.0.0.1:8470',
    },
    {
      it: 'refuses an empty address rather than take the default one',
      environment: { VIGIL_KEY: KEY, VIGIL_URL: '' },
      says: 'the variable VIGIL_URL is empty: unset it, or give a value for --url',
    },
  ];
  for (const { it: sentence, environment, says } of wrong) {
    it(sentence, async () => {
      expect(await runCli(['user', 'list'], { environment })).toEqual({
        exitCode: 2,
        stdout: '',
        stderr: `vigil: ${says}\n`,
      });
    });
  }

  it('says which key file does not exist', async () => {
    const file = join(folder, 'none');
    expect(await runCli(['user', 'list', '--key-file', file])).toMatchObject({
      exitCode: 2,
      stderr: `vigil: there is no file ${file}\n`,
    });
  });

  it('says which key file cannot be read', async () => {
    const answer = await runCli(['user', 'list', '--key-file', folder]);
    expect(answer).toMatchObject({ exitCode: 1, stderr: `vigil: cannot read ${folder} (EISDIR)\n` });
  });

  it('prefers the file to the variable, and the flag to the variable', async () => {
    await using other = await answering((request, response) =>
      response.end(JSON.stringify({ users: [], seen: record(request.headers.authorization) })),
    );
    const file = join(folder, 'key');
    writeFileSync(file, 'vgl_from-file\n');
    const environment = { VIGIL_KEY: KEY, VIGIL_URL: 'http://127.0.0.1:9' };
    await runCli(['user', 'list', '--key-file', file, '--url', `${other.url}/`], { environment });
    expect(seen).toEqual(['Bearer vgl_from-file']);
  });

  const seen: unknown[] = [];
  const record = (value: unknown) => void seen.push(value);
});

describe('A place that is not the service', () => {
  const environment = { VIGIL_KEY: KEY };
  let server: Awaited<ReturnType<typeof answering>>;
  afterEach(() => server[Symbol.asyncDispose]());

  it('is named when nothing listens there', async () => {
    server = await answering(() => undefined);
    const { url } = server;
    await server[Symbol.asyncDispose]();
    expect(await runCli(['user', 'list', '--url', url], { environment })).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `vigil: no answer from ${url} (ECONNREFUSED): is the service running there? --url or VIGIL_URL names another address\n`,
    });
  });

  const others: { it: string; status: string; answer: RequestListener }[] = [
    { it: 'is recognized by a page in place of JSON', status: '200', answer: (_, response) => response.end('<html>') },
    {
      it: 'is recognized by an error in another shape',
      status: '502',
      answer: (_, response) => response.writeHead(502, { 'content-type': 'application/json' }).end('{}'),
    },
    {
      it: 'is recognized by a redirection, which is not followed',
      status: '301',
      answer: (_, response) => response.writeHead(301, { location: '/elsewhere' }).end(),
    },
  ];
  for (const { it: sentence, status, answer } of others) {
    it(sentence, async () => {
      server = await answering(answer);
      const { exitCode, stderr } = await runCli(['user', 'list', '--url', server.url], { environment });
      expect(exitCode).toBe(1);
      expect(stderr).toContain(`${server.url} answers with status ${status}, but is not a Vigil service`);
    });
  }

  it('is told from one whose answer breaks off', async () => {
    server = await answering((_, response) => {
      response.write('{"id":1}\n{"id"');
      setImmediate(() => response.destroy());
    });
    const { exitCode, stderr } = await runCli(['audit', 'export', '--url', server.url], { environment });
    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      `vigil: the connection to ${server.url} was lost before the answer was complete: run the command again\n`,
    );
  });
});

async function answering(listener: RequestListener): Promise<AsyncDisposable & { url: string }> {
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
