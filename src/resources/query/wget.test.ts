// wget through the service: what is sent for rows, with whose rights, and what is on record.

import { createServer, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccount, created } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { certificateFor } from '#test/support/certificates.ts';
import { listening } from '#test/support/listening.ts';
import { rowsOf } from '#test/support/logs.ts';
import { finished, openCursor, ran } from '#test/support/queries.ts';
import { serviceFor } from '#test/support/suites.ts';
import { everythingKept } from '#test/support/written-data.ts';

const SECRET = 'hush-0123456789-nobody-reads-this';

interface Seen {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

const seen: Seen[] = [];
let atOnce = 0;
let most = 0;

const server = createServer(async (request, response) => {
  atOnce += 1;
  most = Math.max(most, atOnce);
  response.on('close', () => {
    atOnce -= 1;
  });
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { method, url = '', headers } = request;
  seen.push({ line: `${method} ${url}`, headers, body: Buffer.concat(chunks).toString() });
  const { pathname, searchParams } = new URL(url, 'http://x');
  if (pathname === '/slow') return;
  if (pathname === '/korean') {
    response.setHeader('content-type', 'text/plain; charset="EUC-KR"');
    response.end(Buffer.from('b7ceb1d7', 'hex'));
    return;
  }
  setTimeout(() => response.end(`answer ${pathname}`), Number(searchParams.get('wait') ?? 0));
});
const certificate = certificateFor('IP:127.0.0.1');
const secure = https.createServer(certificate, (_request, response) => void response.end('under TLS'));

let base = '';
let tls = '';
beforeAll(async () => {
  base = await listening(server);
  tls = (await listening(secure)).replace('http:', 'https:');
});
afterAll(() => {
  for (const one of [server, secure]) {
    one.closeAllConnections();
    one.close();
  }
});

describe('wget', () => {
  const subject = serviceFor({ flags: { 'outbound-hosts': '127.0.0.1,localhost' } });
  const asked = (q: string, key?: string) =>
    subject.call('GET', `/api/core/query?q=${encodeURIComponent(q)}`, key === undefined ? {} : { key });
  const profiles = '/api/core/connection-profiles';

  it('adds the answer to its row, in the order of the rows, with at most 4 requests at once', async () => {
    most = 0;
    const rows = Array.from({ length: 12 }, (_, n) => `{url:'${base}/${n}?wait=${120 - 10 * n}',n:${n}}`);
    const found = await rowsOf(subject, `json "[${rows.join(',')}]" | wget | fields n, line, _wget_code, _wget_error`);
    expect(found).toEqual(rows.map((_, n) => ({ n, line: `answer /${n}`, _wget_code: 200 })));
    expect(most).toBe(4);
    const counted = await ran(subject, `json "[${rows.slice(0, 3).join(',')}]" | wget | stats count by _wget_code`);
    expect(counted.commands.map(({ push_count }: { push_count: number }) => push_count)).toEqual([3, 3, 1]);
  });

  it('keeps the other fields of a row, and puts its own over fields of the same names', async () => {
    const [row] = await rowsOf(subject, `json "{url:'${base}/a',line:'old',x:1}" | wget`);
    expect(row).toMatchObject({ url: `${base}/a`, line: 'answer /a', x: 1, _wget_code: 200 });
    expect(Object.keys(row?._wget_headers ?? {})).toContain('date');
    expect(await rowsOf(subject, `wget url="${base}/korean" | fields line`)).toEqual([{ line: '로그' }]);
  });

  it.each([
    ['not a url', 'malformed-url'],
    ['ftp://127.0.0.1/', 'malformed-url'],
    ['http://u:p@127.0.0.1/', 'malformed-url'],
    ['http://10.0.0.1/', 'host-not-allowed'],
    ['http://2130706433/', 'unreachable'],
    ['http://localhost:1/', 'unreachable'],
    ['https://PLAIN/', 'tls'],
  ])('gives %s the error %s, and no other row suffers', async (url, error) => {
    const written = url.replace('PLAIN', base.replace('http://', ''));
    const found = await rowsOf(
      subject,
      `json "[{url:'${written}'},{url:'${base}/b'}]" | wget | fields line, _wget_error`,
    );
    expect(found).toEqual([{ _wget_error: error }, { line: 'answer /b' }]);
  });

  it('sends header and body of the row, and secrets of a parameter alone', async () => {
    seen.length = 0;
    const row = (header: string, rest = '') =>
      `json "{url:'${base}/h',h:${header},b:{a:1,'b c':'d e'}}" | wget header=h ${rest}| fields _wget_error`;
    expect(
      await rowsOf(subject, row(`{'X-A':'b',Host:'evil','Content-Length':'9'}`, 'method=post body=b format=json ')),
    ).toEqual([{}]);
    expect(await rowsOf(subject, row(`{}`, 'method=put body=b format=form '))).toEqual([{}]);
    for (const name of ['Authorization', 'Proxy-Authorization', 'Cookie', 'X-Api-Key', 'my_token']) {
      expect(await rowsOf(subject, row(`{'${name}':'x'}`)), name).toEqual([{ _wget_error: 'header-not-allowed' }]);
    }
    expect(await rowsOf(subject, row(`{'X-A':'b\\\\r\\\\nc: d'}`))).toEqual([{ _wget_error: 'header-not-allowed' }]);
    expect(seen.map(({ line, body, headers }) => [line, body, headers['content-type'], headers['x-a']])).toEqual([
      ['POST /h', '{"a":1,"b c":"d e"}', 'application/json', 'b'],
      ['PUT /h', 'a=1&b+c=d+e', 'application/x-www-form-urlencoded', undefined],
    ]);
    expect(seen[0]?.headers.host).toBe(base.replace('http://', ''));
    await rowsOf(
      subject,
      `set h = dict("Authorization", "Bearer x") | wget url="${base}/p" header=$("h") | fields line`,
    );
    expect(seen.at(-1)?.headers.authorization).toBe('Bearer x');
  });

  it('uses a profile: base url, sealed headers, own authority, grants', async () => {
    const form = { kind: 'http', url: `${base}/v1/`, headers: JSON.stringify({ Authorization: `Bearer ${SECRET}` }) };
    const member = await createAccount(subject, 'MEMBER', { login: 'member' });
    const grant = (read_only: boolean) => JSON.stringify([{ guid: member.guid, read_only }]);
    await created(subject, profiles, { name: 'api', ...form, shared_users: grant(true) });
    await created(subject, profiles, { name: 'writable', ...form, writable: 'true', shared_users: grant(false) });
    await created(subject, profiles, { name: 'own', ...form });
    await created(subject, profiles, { name: 'tls', kind: 'http', url: tls, ca: certificate.cert });
    seen.length = 0;
    const text = `json "[{path:'a?b=1'},{path:null},{path:'../admin'}]" | wget profile=api | fields line, _wget_error`;
    expect(await rowsOf(subject, text)).toEqual([
      { line: 'answer /v1/a' },
      { line: 'answer /v1/' },
      { _wget_error: 'malformed-url' },
    ]);
    expect(seen.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${SECRET}`, `Bearer ${SECRET}`]);
    expect(await rowsOf(subject, 'wget profile=tls | fields line')).toEqual([{ line: 'under TLS' }]);
    expect((await asked('wget profile=api path=c', member.key)).text).toContain('answer /v1/c');
    expect((await asked('wget profile=api method=post', member.key)).text).toContain('(30201)');
    expect((await asked('wget profile=writable method=post', member.key)).text).toContain('answer /v1/');
    expect((await asked('wget profile=own', member.key)).text).toContain('(10600)');
    expect((await asked(`wget url="${base}/"`, member.key)).text).toContain('(20702) no right to use wget');
    expect((await asked('wget profile=api method=delete')).text).toContain('(30201)');
    await subject.service.stop();
    expect(await everythingKept(subject.service)).not.toContain(SECRET);
    await subject.service.restart();
  });

  it('is on record with hosts, profile and number of requests, also where the query fails', async () => {
    const q = `json "[{url:'${base}/1'},{url:'${base}/2'},{url:'http://10.0.0.1/'}]" | wget | stats count`;
    const entries = await entriesOf(subject, () => ran(subject, q));
    const sent = entries.filter(({ method }) => method === 'request');
    expect(sent.map(({ msg_params: { query_id: _, ...others } }) => others)).toEqual([
      { hosts: [base.replace('http://', '')], count: 2 },
    ]);
    expect(sent[0]?.msg).toContain('Sending of 2 requests by query json');
    const many = `json "{url:'http://127.0.0.1:1/'}" | repeat count=1001 | wget | stats count by _wget_error`;
    const failed = await entriesOf(subject, async () =>
      expect(await ran(subject, many)).toMatchObject({ error_code: 93012 }),
    );
    expect(failed.find(({ method }) => method === 'request')?.msg_params).toMatchObject({ count: 1000 });
  });

  it('ends at once with its query, and with a limit', async () => {
    const id = await openCursor(subject, `json "{url:'${base}/slow'}" | repeat count=50 | wget timeout=1m`);
    await subject.call('POST', `/api/core/queries/${id}/cancel`);
    expect(await finished(subject, id)).toMatchObject({ is_cancelled: true });
    seen.length = 0;
    const rows = await rowsOf(subject, `json "{url:'${base}/l'}" | repeat count=50 | wget | limit 2 | fields line`);
    expect(rows).toHaveLength(2);
    expect(seen.length).toBeLessThanOrEqual(6);
  });

  it('is refused where a url of the text is not listed', async () => {
    expect((await asked('wget url="http://example.com/"')).text).toContain(
      '(20701) host example.com is not one of outbound-hosts',
    );
  });
});
