import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { expectChained, exportedEntries } from '#test/support/audit.ts';
import { callerOf, makeHome } from '#test/support/process.ts';
import { MASTER_KEY } from '#test/support/service.ts';
import { outcome, refused } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';

const COMPANIES = '/api/core/companies';
const USERS = '/api/core/users';

function home() {
  const made = makeHome();
  onTestFinished(() => made[Symbol.dispose]());
  return made;
}

/** A POST that has sent its head and half of its body, and waits. */
function slowRequest(url: string, name: string) {
  const { hostname, port } = new URL(url);
  const body = `name=${name}`;
  const head = [
    `POST ${COMPANIES} HTTP/1.1`,
    `host: ${hostname}:${port}`,
    `authorization: Bearer ${MASTER_KEY}`,
    'content-type: application/x-www-form-urlencoded',
    `content-length: ${body.length}`,
  ];
  const { promise, resolve } = Promise.withResolvers<string>();
  let received = '';
  const socket = connect(Number(port), hostname, () => socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 6)}`));
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.on('error', () => resolve(received));
  socket.on('close', () => resolve(received));
  return { finish: () => socket.write(body.slice(6)), answer: promise };
}

it('At SIGTERM the service finishes what it has begun, refuses what is new, and exits with 0', async () => {
  const installation = home();
  const running = installation.serve();
  const url = await running.ready();
  const { call } = callerOf(url);
  const slow = slowRequest(url, 'unhurried');
  const open = async () => (await call('GET', '/metrics')).text.includes('vigil_http_requests_open 2');
  expect(await until(open, (isOpen) => isOpen)).toBe(true);
  running.child.kill('SIGTERM');
  const late = await until(
    () => call('POST', COMPANIES, { form: { name: 'late' } }),
    ({ status }) => status === 503,
  );
  expect(outcome(late)).toEqual(refused(503, 'unavailable', 'service is stopping'));
  expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(outcome(await call('GET', '/healthz'))).toEqual([200, { status: 'ok' }]);
  const ready = await call('GET', '/readyz');
  expect([ready.status, ready.json.status]).toEqual([503, 'not-ready']);
  slow.finish();
  expect(await slow.answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(await running.exited()).toBe(0);
  expect(running.output().stdout + running.output().stderr).not.toContain(MASTER_KEY);

  const again = callerOf(await installation.serve().ready());
  const { json } = await again.call('GET', `${COMPANIES}?keywords=unhurried`);
  expect(json.total_count).toBe(1);
  const proof = (await again.call('GET', '/api/core/audit-logs/proof')).json;
  expect(proof.checkpoints.at(-1).id).toBe(proof.head.id);
});

it('A second process on the same data folder is refused, and does not disturb the first', async () => {
  const installation = home();
  const first = installation.serve();
  const { call } = callerOf(await first.ready());
  const second = installation.serve();
  expect(await second.exited()).toBeGreaterThan(0);
  expect(second.output().stderr).toContain(`${installation.folder}/data`);
  expect(second.output().stderr).toContain('in use');
  expect(second.output().stderr).not.toContain('    at ');
  expect(second.output().stdout).not.toContain('ready');
  expect((await call('POST', COMPANIES, { form: { name: 'undisturbed' } })).status).toBe(200);
});

it('After kill -9 every acknowledged user is there, and the chain holds', async () => {
  const installation = home();
  const acknowledged: string[] = [];
  const running = installation.serve();
  const { call } = callerOf(await running.ready());
  let next = 0;
  const work = async () => {
    while (!running.child.killed) {
      next += 1;
      const form = { login: `u${next}`, name: 'x', role: 'MEMBER' };
      const answer = await call('POST', USERS, { form }).catch(() => undefined);
      if (answer?.status === 200) acknowledged.push(form.login);
      if (acknowledged.length >= 200) running.child.kill('SIGKILL');
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  await running.exited();
  const caller = callerOf(await installation.serve().ready());
  const { json } = await caller.call('GET', USERS);
  const logins = new Set(json.users.map(({ login }: { login: string }) => login));
  expect(acknowledged.filter((login) => !logins.has(login))).toEqual([]);
  expect(acknowledged.length).toBeGreaterThanOrEqual(200);
  const entries = await exportedEntries(caller);
  expectChained(entries);
  const created = new Set(entries.filter(({ method }) => method === 'create').map(({ params }) => params.login));
  expect([...logins].filter((login) => login !== 'master' && !created.has(login))).toEqual([]);
});

it('The first start prints a key once, which is that of the account master', async () => {
  const installation = home();
  const first = installation.serve({});
  const { call } = callerOf(await first.ready());
  await first.said('vgl_');
  const [key = ''] = /vgl_[\w-]{43}/.exec(first.output().stdout) ?? [];
  const { json } = await call('GET', USERS, { key });
  expect(json.users).toMatchObject([{ login: 'master', role_name: 'MASTER', company_name: 'default' }]);
  first.child.kill('SIGINT');
  expect(await first.exited()).toBe(0);
  const other = 'another-key-of-more-than-32-characters';
  const second = installation.serve({ VIGIL_MASTER_KEY: other });
  const again = callerOf(await second.ready());
  expect((await again.call('GET', USERS, { key })).status).toBe(200);
  expect((await again.call('GET', USERS, { key: other })).status).toBe(401);
  expect(second.output().stdout).not.toContain('vgl_');
  const ignored =
    'VIGIL_MASTER_KEY is read at the first start only and is no key of the account master: vigil key reset-master sets a new one';
  const said = () => second.output().stderr;
  await expect.poll(said).toContain(`vigil: ${ignored}\n`);
  await expect.poll(said).toMatch(new RegExp(`^{"level":40,.*"msg":"${ignored}"}$`, 'm'));
  second.child.kill('SIGTERM');
  await second.exited();
  const third = installation.serve({ VIGIL_MASTER_KEY: key });
  await third.ready();
  expect(third.output().stderr).not.toContain('VIGIL_MASTER_KEY');
  expect(first.output().stderr + second.output().stderr).not.toContain(key);
});

it('A master key of fewer than 32 characters is refused', async () => {
  const running = home().serve({ VIGIL_MASTER_KEY: 'x'.repeat(31) });
  expect(await running.exited()).toBeGreaterThan(0);
  expect(running.output().stderr).toContain('32');
  expect(running.output().stderr).not.toContain('    at ');
});
