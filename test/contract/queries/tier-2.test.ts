// Commands of tier 2 through the service: rows, counts, lookups in memory and their owners, locations of addresses.

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { queryExamples } from '#query/examples/index.ts';
import { createAccount, created } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { createLogger, push, rowsOf } from '#test/support/logs.ts';
import { ask, badQuery, endAll, linesOf, listed, ran, rowsFrom, type Status } from '#test/support/queries.ts';
import { seal } from '#test/support/segments.ts';
import { outcome, serviceFor } from '#test/support/suites.ts';
import { everythingKept } from '#test/support/written-data.ts';

const LOCATIONS = `network,country,region,city,latitude,longitude,asn
10.0.0.0/8,KR,,,37.5,127,AS64500
10.1.0.0/16,KR,11,"Seoul, Jongno",37.57,126.98,64501
2001:db8::/32,DE,BE,Berlin,52.5,13.4,
`;

const folder = mkdtempSync(join(tmpdir(), 'vigil-geoip-'));
const file = join(folder, 'places.csv');
writeFileSync(file, LOCATIONS);

describe('Commands of tier 2', () => {
  const subject = serviceFor({ flags: { geoip: file } });
  let logger: string;

  beforeAll(async () => {
    logger = await createLogger(subject, { table: 'web' });
    const rows = Array.from({ length: 50 }, (_, n) => ({ n, user: `u${n % 5}`, ip: `10.${n % 2}.0.${n}`, m: { n } }));
    await push(subject, logger, { body: rows.map((row) => JSON.stringify(row)).join('\n') });
    await seal(subject, 'web');
    await push(subject, logger, { body: JSON.stringify({ n: 50, user: null, ip: 'no address', late: true }) });
  });
  afterEach(() => endAll(subject));

  it('give rows in GET /query and as cursors alike', async () => {
    const queries = [
      'table order=asc web | streamstats window=10 sum(n) as s, count by user | fields n, s, count',
      'table order=asc web | prev n, user | eval d = n - prev_n | fields n, prev_n, prev_user, d',
      'table web | rollup label=ALL count, sum(n) as s by user',
      'table web | cube count by user, late',
      'table web | parsemap field=m overlay=t | signature field=ip | fields n, signature',
      'table web | eval line = kvjoin("=", " ", "^(n|user)$") | fields line | sort line',
      'table web | lookup geoip ip output country, city, latitude, asn | sort n | fields n, country, city, latitude, asn',
    ];
    for (const q of queries) {
      const streamed = await ask(subject, { q });
      const last = await ran(subject, q);
      const fetched = await rowsFrom(subject, last.id, 'limit=1000');
      expect([q, fetched.text]).toEqual([q, streamed.text]);
      expect([q, last.error_detail, last.rows > 0]).toEqual([q, undefined, true]);
    }
  });

  it('look back on the rows before', async () => {
    const q =
      'table order=asc web | streamstats window=2 sum(n) as s by user | prev n | search n >= 47 | fields n, s, prev_n';
    expect(await rowsOf(subject, q)).toEqual([
      { n: 47, s: 89, prev_n: 46 },
      { n: 48, s: 91, prev_n: 47 },
      { n: 49, s: 93, prev_n: 48 },
      { n: 50, s: 50, prev_n: 49 },
    ]);
  });

  it('know places by the narrowest network', async () => {
    const at = async (ip: string) =>
      (await rowsOf(subject, `json "{ip:'${ip}'}" | lookup geoip ip output country, city, longitude, asn`))[0];
    expect(await at('10.1.2.3')).toEqual({
      ip: '10.1.2.3',
      country: 'KR',
      city: 'Seoul, Jongno',
      longitude: 126.98,
      asn: 64501,
    });
    expect(await at('10.2.0.1')).toEqual({ ip: '10.2.0.1', country: 'KR', longitude: 127, asn: 64500 });
    expect(await at('2001:DB8::1')).toMatchObject({ country: 'DE', city: 'Berlin' });
    expect(await at('192.0.2.1')).toEqual({ ip: '192.0.2.1' });
    expect(await at('x')).toEqual({ ip: 'x' });
    expect(outcome(await ask(subject, { q: 'lookuptable geoip' }))).toEqual(
      badQuery('(92002) geoip is not allowed here at 1:13'),
    );
  });

  it('keep lookups in memory for their owner alone', async () => {
    const other = await createAccount(subject, 'ADMIN', { login: 'other' });
    const build =
      'table order=asc web | memlookup op=build name=first key=user n, ip | lookup first user output n as f';
    const built = await ran(subject, build);
    expect(built.commands.map(({ push_count }: Status) => push_count)).toEqual([51, 51, 51]);
    expect(await rowsOf(subject, 'lookuptable first user, n')).toEqual(
      [0, 1, 2, 3, 4].map((n) => ({ user: `u${n}`, n })),
    );
    expect(await rowsOf(subject, `json "[{u:'u3'},{u:'x'}]" | lookup first u output n, ip`)).toEqual([
      { u: 'u3', n: 3, ip: '10.1.0.3' },
      { u: 'x' },
    ]);
    expect(await rowsOf(subject, 'memlookup op=list | fields name, key, rows')).toEqual([
      { name: 'first', key: 'user', rows: 5 },
    ]);
    expect(await rowsOf(subject, 'memlookup op=list', { key: other.key })).toEqual([]);
    const foreign = await ask(subject, { q: 'lookuptable first' }, { key: other.key });
    expect(outcome(foreign)).toEqual(badQuery('(21200) there is no lookup first at 1:13'));
    expect(await rowsOf(subject, 'memlookup op=drop name=first')).toEqual([]);
    expect(await rowsOf(subject, 'memlookup op=list')).toEqual([]);
    expect(outcome(await ask(subject, { q: 'memlookup op=drop name=first' }))).toEqual(
      badQuery('(21200) there is no lookup first at 1:19'),
    );
  });

  it('build lookups anew, from groups, in subqueries, and not where the query fails', async () => {
    await ran(subject, 'table web | search n < 10 | stats count by user | memlookup op=build name=g key=user count');
    expect(await rowsOf(subject, 'lookuptable g | limit 1')).toEqual([{ user: 'u0', count: 2 }]);
    await ran(subject, 'json "[]" | union [ json "[{user:1,count:7}]" | memlookup op=build name=g key=user count ]');
    expect(await rowsOf(subject, 'lookuptable g')).toEqual([{ user: 1, count: 7 }]);
    const tooMany =
      'json "{}" | repeat count=100001 | eval k = seq() | memlookup op=build name=g key=k k | stats count';
    const failed = await ran(subject, tooMany);
    expect(failed).toMatchObject({
      error_code: 93011,
      error_detail: 'list elements or rows of the lookup: 100001 is more than 100000',
    });
    const setq = 'setq [ json "[{user:2}]" | memlookup op=build name=g key=user user ]';
    expect(await ran(subject, `${setq} | ${tooMany}`)).toMatchObject({ error_code: 93011 });
    expect(await rowsOf(subject, 'lookuptable g')).toEqual([{ user: 1, count: 7 }]);
    await ran(subject, `${setq} | json "{}"`);
    expect(await rowsOf(subject, 'lookuptable g')).toEqual([{ user: 2 }]);
  });

  it('store what a subquery imports', async () => {
    await createLogger(subject, { table: 'dst' });
    await ran(subject, 'table web | search n < 3 | stats count by n | union [ json "[{a:1}]" | import dst ]');
    await ran(subject, 'table web | search n < 3 | stats count by n | import dst');
    expect(await rowsOf(subject, 'table dst | stats count, sum(a) as a')).toEqual([{ count: 4, a: 1 }]);
  });

  it('are given keys that nobody but their own account is shown again', async () => {
    const q =
      'json "{}" | eval x = decode(decrypt("AES/GCM", $("secret_key"), encrypt("AES/GCM", $("secret_key"), "plain")))';
    const params = { secret_key: 'kept to myself!!', other: 5 };
    let last: Status;
    const entries = await entriesOf(subject, async () => {
      last = await ran(subject, q, { params });
      const form = { q, params: JSON.stringify(params) };
      await subject.call('POST', '/api/core/cursors', { form });
      await subject.call('POST', '/api/core/cursors', { form: { ...form, params: '{"secret": broken' } });
    });
    expect(linesOf(await rowsFrom(subject, last.id))).toEqual([{ x: 'plain' }]);
    expect(last.constants).toEqual(params);
    const shown = await listed(subject, last.id);
    expect(shown?.constants).toEqual({ secret_key: '***', other: 5 });
    expect(entries.map(({ params: kept }) => kept?.params)).toEqual([
      { secret_key: '***', other: 5 },
      '{"secret_key":"***","other":5}',
      '***',
    ]);
    expect(JSON.stringify([shown, entries])).not.toContain('kept to myself!!');
  });

  it('cost what they cost, and no more than their limit', async () => {
    const fields = Array.from({ length: 11 }, (_, at) => `f${at}`).join(', ');
    const begin = `table web | cube count by ${fields}`.lastIndexOf('f10') + 1;
    expect(outcome(await ask(subject, { q: `table web | cube count by ${fields}` }))).toEqual(
      badQuery(`(90009) work of the query: 2048 is more than 1024 at 1:${begin}`),
    );
  });
});

/** Those that need nothing but tables; groups and stored lookups cannot be made yet. */
const EXAMPLES = queryExamples().filter(
  ({ query, tables, groups, lookups, gives }) =>
    gives &&
    tables?.given &&
    !groups &&
    !lookups &&
    /streamstats|prev|rollup|cube|parsemap|signature|memlookup|geoip/.test(query),
);

describe('Commands of tier 2 over an encrypted table', () => {
  const subject = serviceFor({ alone: 'embedded' });

  it('leave nothing of an encrypted table in clear', async () => {
    await push(subject, await createLogger(subject, { table: 'web' }), {
      body: Array.from({ length: 51 }, (_, n) => JSON.stringify({ n, user: `u${n % 3}` })).join('\n'),
    });
    const profile = await created(subject, '/api/core/crypto-profiles', { name: 'p' });
    const storage = { crypto_profile_guid: profile, encryption: 'true' };
    const cards = await createLogger(subject, { table: 'cards', storage });
    const SECRET = 'plugh-card-77';
    const lines = Array.from({ length: 2000 }, (_, n) => JSON.stringify({ n, card: `${SECRET}-${n}` }));
    await push(subject, cards, { body: lines.join('\n') });
    await seal(subject, 'cards');
    await ran(subject, 'table cards | streamstats count | prev card | memlookup op=build name=cards key=n card');
    const last = await ran(subject, 'table web | lookup cards n output card | streamstats first(card) as c by user');
    expect([last.rows, last.error_detail]).toEqual([51, undefined]);
    const listed = await ran(subject, 'lookuptable cards | sort -card');
    expect(listed.rows).toBe(2000);
    const clear = (await everythingKept(subject.service)).filter((bytes) => bytes.includes(SECRET));
    expect(clear).toHaveLength(0);
  });
});

describe('Examples of the reference', () => {
  const subject = serviceFor();

  it.each(EXAMPLES.map((example, index) => ({ ...example, table: `given${index}` })))(
    'give the same rows through the service: $query',
    async ({ query, tables, gives, table }) => {
      const logger = await createLogger(subject, { table });
      // The first is the newest, because tables are read from the newest on.
      const lines = (tables?.given ?? []).map((row, at) => JSON.stringify({ ...row, _time: 1_800_000_000_000 - at }));
      await push(subject, logger, { body: lines.join('\n') });
      const found = await rowsOf(subject, query.replace('table given', `table ${table}`));
      const shown = found.map(({ _id, _time, _table, ...fields }) => fields);
      const wanted = (gives ?? []).map((row) =>
        Object.fromEntries(Object.entries(row).filter(([, one]) => one !== null)),
      );
      expect(shown).toEqual(wanted);
    },
  );
});
