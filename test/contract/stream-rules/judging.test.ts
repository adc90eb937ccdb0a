// What the conditions of a stream rule let pass: templates, their inverse, several in a row, and address groups as they
// change.

import { expect, it } from 'vitest';
import type { Config } from '#settings/index.ts';
import { openStore } from '#store/store.ts';
import { created } from '#test/support/accounts.ts';
import { NODE_NAMES } from '#test/support/balanced-nodes.ts';
import { CapturedLog } from '#test/support/captured-log.ts';
import { createGroup, createStream, createStreamRule, eventsOf, found, GROUPS } from '#test/support/stream-rules.ts';
import { onEachDatabase } from '#test/support/suites.ts';

const log = new CapturedLog();

const VALUES = [
  { n: 1, f: '10.0.0.1' },
  { n: 2, f: '::ffff:10.0.0.1' },
  { n: 3, f: 'GET /Admin/x' },
  { n: 4, f: '/admin/y' },
  { n: 5, f: 443 },
  { n: 6, f: '443' },
  { n: 7, f: 22 },
  { n: 8, f: 'D41D8CD98F00B204E9800998ECF8427E' },
  { n: 9, f: null },
  { n: 10 },
  { n: 11, f: 'a*c' },
];
const ALL = VALUES.map(({ n }) => n);
const allBut = (...some: number[]) => ALL.filter((n) => !some.includes(n));
const sorted = (numbers: readonly number[]) => [...numbers].map(Number).sort();

interface Case {
  readonly template_id: number;
  readonly args: (group: string) => object;
  readonly finds: readonly number[];
  readonly inverted: readonly number[];
}

const templates: readonly Case[] = [
  { template_id: 2, args: () => ({ ip: '10.0.0.1' }), finds: [1], inverted: allBut(1, 9, 10) },
  { template_id: 3, args: (subnet) => ({ subnet }), finds: [1, 2], inverted: allBut(1, 2) },
  { template_id: 4, args: () => ({ values: ['a*c', '/admin/y'] }), finds: [4, 11], inverted: allBut(4, 11) },
  { template_id: 5, args: () => ({ text: 'admin' }), finds: [4], inverted: allBut(4) },
  { template_id: 6, args: () => ({ pattern: '(?i)^get .*admin' }), finds: [3], inverted: allBut(3) },
  { template_id: 7, args: () => ({ ports: [443, 8443] }), finds: [5, 6], inverted: allBut(5, 6) },
  { template_id: 8, args: () => ({ number: 100 }), finds: [5, 6], inverted: [7] },
  { template_id: 9, args: () => ({ text: '/ADMIN' }), finds: [3, 4], inverted: allBut(3, 4) },
  {
    template_id: 10,
    args: () => ({ hashes: ['d41d8cd98f00b204e9800998ecf8427e'] }),
    finds: [8],
    inverted: allBut(8),
  },
];

onEachDatabase(
  'The conditions of a stream rule',
  (subject) => {
    const { call } = subject;

    it('are looked at together, by 19 rules at once: each template plain and inverted, and free text', async () => {
      const { schema, push } = await createStream(subject);
      const group = await createGroup(subject, '10.0.0.0/24');
      const rules: [string, readonly number[]][] = [];
      for (const { template_id, args, finds, inverted } of templates) {
        for (const invert of [false, true]) {
          const where = [{ template_id, field_name: 'f', args: args(group), invert }];
          rules.push([await createStreamRule(subject, { schema, where }), invert ? inverted : finds]);
        }
      }
      const free = { template_id: 1, query: 'search f == "*admin*" | eval f = null', invert: true };
      rules.push([await createStreamRule(subject, { schema, where: [free] }), allBut(4)]);
      await push(...VALUES);
      const outcomes = await Promise.all(rules.map(([rule]) => found(subject, rule)));
      expect(outcomes).toEqual(rules.map(([, finds]) => sorted(finds)));
    });

    it('go on with what the one before has let out, in the order of ordinal', async () => {
      const { schema, push, table } = await createStream(subject);
      const where = [
        { template_id: 1, query: 'search level == "warn" | fields n, level', ordinal: 3 },
        { template_id: 1, query: 'parsekv field=line overlay=t', ordinal: 1 },
        { template_id: 1, query: 'search user == "root"', invert: true, ordinal: 2 },
      ];
      const rule = await createStreamRule(subject, { schema, where, fields: { msg: '$level at $n: $line' } });
      await push({ n: 1, line: 'level=warn user=kim' }, { n: 2, line: 'level=warn user=root' }, { n: 3, line: 'x=1' });
      expect(await eventsOf(subject, rule)).toMatchObject([{ msg: 'warn at 1: ', fields: { n: 1, level: 'warn' } }]);
      expect(await found(subject, rule), table).toEqual([1]);
    });

    it('take the moment of each record for now()', async () => {
      const { schema, push } = await createStream(subject);
      const rule = await createStreamRule(subject, { schema, where: ['search at < now()'] });
      const at = subject.clock.now().add({ seconds: 5 }).toString();
      const cases = [1, 2, 3];
      for (const n of cases) {
        await push({ n, at });
        subject.clock.advance({ seconds: 4 });
      }
      expect(await found(subject, rule)).toEqual([3]);
    });

    it('ask address groups as they are: added, removed, expired, gone and made again', async () => {
      const { schema, push } = await createStream(subject);
      const group = await createGroup(subject, '10.1.0.0/16');
      const rule = await createStreamRule(subject, { schema, where: [`matchnet field=ip guid=${group}`] });
      const addresses = `${GROUPS}/${group}/addresses`;
      let n = 0;
      const pushAll = async () => {
        n += 10;
        await push({ n, ip: '10.1.2.3' }, { n: n + 1, ip: '192.0.2.7' }, { n: n + 2, ip: '2001:db8::7' });
        return (await found(subject, rule)).filter((number) => Number(number) >= n).map((number) => Number(number) - n);
      };
      expect(await pushAll()).toEqual([0]);
      const single = await created(subject, addresses, { ip: '192.0.2.7' });
      await created(subject, addresses, { ip: '2001:db8::/64', expire_minute: '1' });
      expect(await pushAll()).toEqual([0, 1, 2]);
      subject.clock.advance({ seconds: 59 });
      expect(await pushAll()).toEqual([0, 1, 2]);
      subject.clock.advance({ seconds: 1 });
      expect(await pushAll()).toEqual([0, 1]);
      await call('DELETE', addresses, { form: { guids: single } });
      expect(await pushAll()).toEqual([0]);
      await call('DELETE', GROUPS, { form: { guids: group } });
      expect(await pushAll()).toEqual([]);
      await created(subject, GROUPS, { guid: group, name: 'again' });
      await created(subject, addresses, { ip: '2001:db8::7' });
      expect(await pushAll()).toEqual([2]);
    });

    it('of one rule that are not right any more hinder no other, and are told once', async () => {
      const { schema, push } = await createStream(subject);
      const valid = await createStreamRule(subject, { schema, where: ['search n'] });
      const broken = await createStreamRule(subject, {
        schema,
        where: ['search n == 1'],
        fields: { name: 'broken one' },
      });
      await subject.service.stop();
      await spoil(subject.service.config, broken);
      await subject.service.restart();
      await push({ n: 1 });
      await push({ n: 2 });
      expect(await found(subject, valid)).toEqual([1, 2]);
      expect(await found(subject, broken)).toEqual([]);
      const told = log.errors.filter(({ fields }) => fields.rule === broken);
      const fields = { kind: 'stream', rule: broken, name: 'broken one', reason: expect.stringMatching(/^\(\d{5}\) /) };
      const message = 'a rule cannot be evaluated until it is changed';
      // By each node in its own log.
      expect(told).toEqual(NODE_NAMES.map(() => ({ message, fields })));
    });
  },
  { log },
);

/** As if a newer version of the language did not take the text of a rule any more. */
async function spoil({ data, database }: Config, guid: string): Promise<void> {
  const store = await openStore(database ?? data, { groupCommitted() {}, storeFailed() {} });
  await store.write(async (db) => {
    const { snapshot } = await db
      .selectFrom('rules')
      .select('snapshot')
      .where('guid', '=', guid)
      .executeTakeFirstOrThrow();
    const spoilt = snapshot.replace('search n', 'serach n');
    await db.updateTable('rules').set({ snapshot: spoilt }).where('guid', '=', guid).execute();
  });
  await store.close();
}
