// What holds for every family alike (7.1, 7.2, 1.3); what is peculiar to one stands in its own folder.

import { beforeAll, describe, expect, it } from 'vitest';
import { type Account, createAccount, masterGuid } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { FAMILIES, FAMILY_FLAGS, type FamilyCase } from '#test/support/family-cases.ts';
import { sourcesIn } from '#test/support/sources.ts';
import { NO_PERMISSION, onEachDatabase, outcome, refused, type Subject } from '#test/support/suites.ts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';
const GUID = 'abcdefab-0000-4000-8000-00000000000c';
const illegal = (message: string) => refused(500, 'illegal-state', message);
const invalid = (message: string) => refused(400, 'invalid-argument', message);
const missing = (name: string) => refused(400, 'null-argument', `${name} should be not null`);

it('All families are looked at below', () => {
  const declared = sourcesIn('src/resources/**/family.ts').map(({ path }) => path.split('/')[2]);
  expect(FAMILIES.map(({ path }) => path).toSorted()).toEqual(declared.toSorted());
});

const conformance = (subject: Subject) => {
  const people: { master: string; company: string; member?: Account; admin?: Account } = { master: '', company: '' };

  beforeAll(async () => {
    people.master = await masterGuid(subject);
    people.company = (await subject.call('GET', `/api/core/users/${people.master}`)).json.user.company_guid;
    people.member = await createAccount(subject, 'MEMBER', { login: 'member' });
    people.admin = await createAccount(subject, 'ADMIN', { login: 'admin' });
  });

  describe.each(FAMILIES)('$path', (family) => {
    const { call, clock } = subject;
    const objects = new Objects(subject, family, people);
    const keyName = family.key ?? 'guid';
    const notFound = (key: string) => illegal(`${family.thing} not found: ${key}`);
    const duplicated = (name: string) =>
      illegal(
        family.duplicated?.includes('[')
          ? `${family.duplicated}${name}]`
          : `${family.duplicated ?? 'duplicated name: '}${name}`,
      );
    const reason = `${family.thing.replaceAll(' ', '-')}-not-found`;

    it('reads an object back as it was written, its key in any case where that is a guid', async () => {
      const key = family.key ? 'Key One' : GUID;
      const given = family.key ? key : GUID.toUpperCase();
      const form = objects.form('first', 'most', { [keyName]: given, description: '설명 하나' });
      expect(outcome(await call('POST', objects.path, { form }))).toEqual([200, { [keyName]: key }]);
      const record = objects.record('first', 'most', { [keyName]: key, description: '설명 하나' });
      expect(await objects.get(given)).toStrictEqual(record);
      const { json } = await call('GET', objects.path);
      const listed = json[family.plural].find((one: Record<string, string>) => one[keyName] === key);
      expect(listed).toStrictEqual(objects.listed(record));
    });

    it('replaces by an update: what is absent takes its default', async () => {
      const key = await objects.create('second', 'most', { description: 'goes' });
      const before = await objects.get(key);
      clock.advance({ minutes: 5 });
      const answer = await call('PUT', objects.at(key), { form: objects.form('second 2', 'least') });
      expect(outcome(answer)).toEqual([200, family.key ? { code: key } : {}]);
      const expected = objects.record('second 2', 'least', { [keyName]: key, created: before.created });
      expect(await objects.get(key)).toStrictEqual(expected);
    });

    it('has names and keys once, and finds what is there', async () => {
      const one = await objects.create('one');
      const other = await objects.create('other');
      const post = async (name: string, more = {}) =>
        outcome(await call('POST', objects.path, { form: objects.form(name, 'least', more) }));
      expect(await post('one')).toEqual(duplicated(objects.name('one')));
      const held = illegal(`duplicated ${keyName}: ${one}`);
      expect(await post('unheard', { [keyName]: one })).toEqual(held);
      expect(await post('one', { [keyName]: one })).toEqual(family.key ? held : duplicated(objects.name('one')));
      const put = async (key: string, name: string) =>
        outcome(await call('PUT', objects.at(key), { form: objects.form(name) }));
      expect(await put(other, 'one')).toEqual(duplicated(objects.name('one')));
      expect((await put(other, 'other'))[0]).toBe(200);
      expect(await put(NOWHERE, 'one')).toEqual(notFound(NOWHERE));
      expect(await objects.get(NOWHERE)).toBeNull();
    });

    it('makes an object once, though twenty ask for its name at the same moment', async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => call('POST', objects.path, { form: objects.form('contested') })),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(outcome(answers.find(({ status }) => status !== 200) ?? answers[0] ?? fail())).toEqual(
        duplicated(objects.name('contested')),
      );
    });

    it('lists in the order of names, page by page, and finds in names and descriptions', async () => {
      for (const at of [3, 1, 2]) await objects.create(`page ${at}`, 'least', { description: `Wild ${at}` });
      const names = async (query: string) => {
        const { json } = await call('GET', `${objects.path}?${query}`);
        return [json.total_count, json[family.plural].map(({ name }: { name: string }) => name)];
      };
      const pages = [1, 2, 3].map((at) => objects.name(`page ${at}`));
      const word = encodeURIComponent(objects.name('PAGE').replace('PAGE', 'pAGE'));
      expect(await names(`keywords=${word}`)).toEqual([3, pages]);
      expect(await names(`keywords=${word}&offset=1&limit=1`)).toEqual([3, [pages[1]]]);
      expect(await names(`keywords=${word}&limit=0`)).toEqual([3, []]);
      expect(await names('keywords=wILD 2')).toEqual(family.isFoundByNameAlone ? [0, []] : [1, [pages[1]]]);
      expect(await names('keywords=nowhere to be found')).toEqual([0, []]);
    });

    it('removes each object alone, and says which were not there', async () => {
      const many = family.key ? 'codes' : 'guids';
      const gone = await objects.create('gone');
      const stays = await objects.create('stays');
      const failures = [{ id: NOWHERE, reason }];
      const form = { [many]: `${NOWHERE},${family.key ? gone : gone.toUpperCase()},${gone}` };
      if (!family.hasNoDryRun) {
        const dry = await call('DELETE', objects.path, { form: { ...form, dry_run: 'true' } });
        expect(outcome(dry)).toEqual([200, { failures, references: [] }]);
        expect(await objects.get(gone)).not.toBeNull();
      }
      expect(outcome(await call('DELETE', objects.path, { form }))).toEqual([200, { failures }]);
      expect(await objects.get(gone)).toBeNull();
      expect(await objects.get(stays)).not.toBeNull();
      expect(outcome(await call('DELETE', objects.path))).toEqual(missing(many));
      await objects.create('gone', 'least', { [keyName]: gone });
    });

    it('refuses names and descriptions that do not fit, before it looks for anything', async () => {
      const { longest, descriptionMost = 2000 } = family;
      const shorter = (name: string, most: number) => `'${name}' must be shorter than or equal to ${most} characters.`;
      const verb = family.tooLong?.includes('less') ? 'less than' : 'shorter than';
      const description = `'description' must be ${verb} or equal to ${descriptionMost} characters.`;
      const least = objects.form('x');
      const rows: [Record<string, string>, readonly [number, unknown]][] = [
        [{ ...least, name: '' }, missing('name')],
        [{ ...least, name: 'n'.repeat(longest + 1) }, invalid(family.tooLong ?? shorter('name', longest))],
        [{ ...least, description: 'd'.repeat(descriptionMost + 1) }, invalid(description)],
      ];
      for (const [form, complaint] of rows) {
        expect(outcome(await call('POST', objects.path, { form: { ...form, ...objects.newKey() } }))).toEqual(
          complaint,
        );
        expect(outcome(await call('PUT', objects.at(NOWHERE), { form }))).toEqual(complaint);
      }
      for (const left of Object.keys(family.least ?? {})) {
        const form = { ...least, ...objects.newKey(), [left]: '' };
        expect(outcome(await call('POST', objects.path, { form }))).toEqual(missing(left));
      }
      if (family.key) return;
      const noGuid = refused(400, 'invalid-param-type', 'guid should be guid type.');
      expect(outcome(await call('POST', objects.path, { form: { guid: 'x' } }))).toEqual(noGuid);
      expect(outcome(await call('PUT', objects.at('x')))).toEqual(noGuid);
      expect(outcome(await call('GET', objects.at('x')))).toEqual(noGuid);
    });

    it('is read and written by those who may', async () => {
      const readers: readonly string[] = { MASTER: [], MEMBER: ['admin', 'member'] }[family.readers ?? 'MEMBER'];
      const writers: readonly string[] = { MASTER: [], ADMIN: ['admin'], MEMBER: ['admin', 'member'] }[
        family.writers ?? 'ADMIN'
      ];
      for (const who of ['admin', 'member'] as const) {
        const key = people[who]?.key ?? '';
        const isRefused = async (method: string, path: string) =>
          JSON.stringify(outcome(await call(method, path, { key }))) === JSON.stringify(NO_PERMISSION);
        for (const path of [objects.path, objects.at(NOWHERE)]) {
          expect(await isRefused('GET', path), `${who} reads`).toBe(!readers.includes(who));
        }
        for (const [method, path] of [
          ['POST', objects.path],
          ['PUT', objects.at(NOWHERE)],
          ['DELETE', objects.path],
        ] as const) {
          expect(await isRefused(method, path), `${who} ${method}`).toBe(!writers.includes(who));
        }
      }
    });

    it('leaves one entry for each call that changes something, or would have', async () => {
      const [one, many] = family.labels;
      const key = await objects.create('recorded');
      const form = objects.form('recorded 2');
      const name = objects.name('recorded 2');
      const entries = await entriesOf(subject, async () => {
        await objects.create('entry');
        await call('POST', objects.path, { form: objects.form('entry') });
        await call('PUT', objects.at(key), { form });
        await call('DELETE', objects.path, { form: { [family.key ? 'codes' : 'guids']: key } });
      });
      const common = { module: family.path, user: 'master' };
      expect(entries).toMatchObject([
        { ...common, method: 'create', action: `Create ${one}`, result: 'Success' },
        { ...common, method: 'create', action: `Create ${one}`, result: 'Failure' },
        { ...common, method: 'update', action: `Update ${one}`, params: { name }, msg_params: { new_name: name } },
        { ...common, method: 'remove', action: `Remove ${many}`, msg: `Removal of ${many} ${name}` },
      ]);
    });
  });
};

onEachDatabase('The family of', conformance, { flags: FAMILY_FLAGS });

type People = { readonly master: string; readonly company: string };
type Extent = 'least' | 'most';

/** Objects of one family: how they are written, and what is read of them. */
class Objects {
  readonly path: string;
  readonly #subject: Subject;
  readonly #family: FamilyCase;
  readonly #people: People;
  #codes = 0;

  constructor(subject: Subject, family: FamilyCase, people: People) {
    this.path = `/api/core/${family.path}`;
    this.#subject = subject;
    this.#family = family;
    this.#people = people;
  }

  at(key: string): string {
    return `${this.path}/${encodeURIComponent(key)}`;
  }

  /** Names of table groups and lookups are words. */
  name(text: string): string {
    return ['lookups', 'table-groups'].includes(this.#family.path) ? text.replaceAll(' ', '_') : text;
  }

  form(name: string, extent: Extent = 'least', more: Record<string, string> = {}): Record<string, string> {
    const { least = {}, most = least } = this.#family;
    const form = { ...(extent === 'most' ? most : least), name: this.name(name), ...this.newKey(), ...more };
    return this.#filled(form);
  }

  /** A code must be given. */
  newKey(): Record<string, string> {
    this.#codes += 1;
    return this.#family.key ? { code: `code-${this.#codes}` } : {};
  }

  record(name: string, extent: Extent, more: Record<string, string>): Record<string, unknown> {
    const { leastRead = {}, mostRead = leastRead } = this.#family;
    const now = this.#now();
    const times = { created: now, updated: now };
    return { ...this.#filled(extent === 'most' ? mostRead : leastRead), name: this.name(name), ...times, ...more };
  }

  listed(record: Record<string, unknown>): Record<string, unknown> {
    return Object.fromEntries(Object.entries(record).filter(([name]) => !this.#family.alone?.includes(name)));
  }

  async create(name: string, extent: Extent = 'least', more: Record<string, string> = {}): Promise<string> {
    const answer = await this.#subject.call('POST', this.path, { form: this.form(name, extent, more) });
    expect(answer.status, answer.text).toBe(200);
    return answer.json[this.#family.key ?? 'guid'];
  }

  async get(key: string) {
    return (await this.#subject.call('GET', this.at(key))).json[this.#family.singular];
  }

  #now(): string {
    return this.#subject.clock.now().toString().replace('T', ' ').replace('Z', '+0000');
  }

  #filled<T>(value: T): T {
    const { master, company } = this.#people;
    const text = JSON.stringify(value)
      .replaceAll('$master', master)
      .replaceAll('$company', company)
      .replaceAll('$now', this.#now());
    return JSON.parse(text);
  }
}

function fail(): never {
  throw new Error('nobody answered');
}
