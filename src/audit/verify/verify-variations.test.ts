// The finer ways of tampering, and what verification makes of a witness that is behind, cut or damaged.

import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ENTRY_COLUMNS } from '#audit/entry.ts';
import { databases, type Service, startService } from '#test/support/service.ts';
import {
  findingAfter,
  named,
  recordAtOnce,
  type Statement,
  Victim,
  verdictOn,
  witnessIn,
  writeLog,
} from '#test/support/tampering.ts';

for (const { name, skip } of databases) {
  describe.skipIf(skip)(`Verification on ${name}`, () => {
    let service: Service;
    let victim: Victim;
    beforeAll(async () => {
      service = await startService({ database: name });
      await writeLog(service);
      victim = await Victim.of(service.config);
    });
    afterAll(async () => {
      await victim[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    });
    const found = (...statements: readonly Statement[]) => findingAfter(statements, victim);

    describe('of what an entry says', () => {
      const setParams = (text: string | null): Statement => [
        'update audit_entries set params = ? where id = 200',
        text,
      ];

      it('leaves no column out', async () => {
        for (const column of ENTRY_COLUMNS.filter((each) => each !== 'id')) {
          const value = column === 'created_at' ? 1 : '{}';
          const edit: Statement = [`update audit_entries set ${column} = ? where id = 60`, value];
          expect(await found(edit), column).toBe('edited 60');
        }
      });

      it('reads the text that is stored, not what a parser makes of it', async () => {
        const text = JSON.stringify(victim.entries[199]?.params);
        expect(await found(setParams(text))).toBe('nothing');
        expect(await found(setParams(text.replace(',', ', ')))).toBe('edited 200');
        expect(await found(setParams(text.replace('{', '{"round":0,')))).toBe('edited 200');
        expect(await found(setParams(text.replace('1.5', '1.50')))).toBe('edited 200');
        expect(await found(setParams(text.slice(1)))).toBe('edited 200');
        expect(await found(setParams(null))).toBe('edited 200');
      });

      it('does not take the text of two columns in one for both', async () => {
        const { params, msg_params } = victim.entries[40] ?? {};
        const both = `${JSON.stringify(msg_params)},"params":${JSON.stringify(params)}`;
        expect(await found(['update audit_entries set params = null, msg_params = ? where id = 41', both])).toBe(
          'edited 41',
        );
      });

      it('survives numbers outside of any valid entry', async () => {
        const huge = 2n ** 62n;
        expect(await found(['update audit_entries set created_at = ? where id = 7', huge])).toBe('edited 7');
        expect(await found(['update audit_entries set created_at = -1 where id = 7'])).toBe('edited 7');
        expect(await found(['update audit_entries set id = 2000000000 where id = 7'])).toBe('reordered 7');
        expect(await found(['update audit_entries set id = 0 where id = 7'])).toBe('reordered 0');
      });

      it('tells a deleted entry from one whose followers moved up', async () => {
        const movedUp: Statement[] = [
          ['delete from audit_entries where id = 100'],
          ['update audit_entries set id = -id where id > 100'],
          ['update audit_entries set id = -id - 1 where id < 0'],
        ];
        expect(await found(...movedUp)).toBe('edited 100');
        expect(await found(['delete from audit_entries where id between 100 and 120'])).toBe('missing 100');
      });

      it('finds the log gone when it is', async () => {
        expect(await found(['delete from audit_entries'])).toBe('tail-cut 1');
        expect(await found(['delete from audit_entries'], ['delete from audit_checkpoints'])).toBe('tail-cut 1');
      });

      it('names the earliest of several', async () => {
        const edit: Statement = ["update audit_entries set user_name = 'x' where id in (30, 31, 200)"];
        expect(await found(edit, ['delete from audit_entries where id = 32'])).toBe('edited 30');
        expect(await found(edit, ['delete from audit_entries where id = 29'])).toBe('missing 29');
      });
    });

    describe('of checkpoints', () => {
      it('finds one removed that the witness knows', async () => {
        const [first = 0, second = 0] = victim.checkpointIds;
        expect(await found(['delete from audit_checkpoints where id = ?', second])).toBe(`bad-checkpoint ${second}`);
        expect(await found(['delete from audit_checkpoints'])).toBe(`bad-checkpoint ${first}`);
      });

      it('finds any part of one altered, also the part that is not signed', async () => {
        const [, id = 0] = victim.checkpointIds;
        const other = 'a'.repeat(64);
        for (const column of ['hash', 'root', 'signature', 'frontier']) {
          const statement: Statement = [`update audit_checkpoints set ${column} = ? where id = ?`, other, id];
          expect(await found(statement), column).toBe(`bad-checkpoint ${id}`);
        }
        const later: Statement = ['update audit_checkpoints set created_at = created_at + 1 where id = ?', id];
        expect(await found(later)).toBe(`bad-checkpoint ${id}`);
      });

      it('does not let one that is bad hide what was done to an entry after it', async () => {
        const [first = 0] = victim.checkpointIds;
        const bad: Statement = ["update audit_checkpoints set root = 'x' where id = ?", first];
        expect(await found(bad, ['delete from audit_entries where id = 240'])).toBe('missing 240');
        expect(await found(bad, ...victim.recompute(240))).toBe('recomputed 240');
        expect(await found(bad, ['delete from audit_entries where id >= 240'])).toBe('tail-cut 240');
      });

      it('finds one under the id of another entry', async () => {
        const [, id = 0] = victim.checkpointIds;
        const move = (to: number): Statement => ['update audit_checkpoints set id = ? where id = ?', to, id];
        expect(await found(move(id - 1))).toBe(`bad-checkpoint ${id - 1}`);
        expect(await found(move(-5))).toBe('bad-checkpoint -5');
        expect(await found(move(1_000_000))).toBe(`bad-checkpoint ${id}`);
      });
    });

    describe('with a witness', () => {
      let file: string;
      let lines: readonly string[];
      beforeAll(() => {
        file = witnessIn(service.config.keys);
        lines = readFileSync(file, 'utf8').trimEnd().split('\n');
      });
      beforeEach(() => write(lines));
      const write = (kept: readonly string[], rest = '') => writeFileSync(file, `${kept.join('\n')}\n${rest}`);
      const verdict = () => verdictOn(service.config);
      const putBack = () => write(lines);

      it('that lags, as after a crash, proves the log and names the entries it lacks', async () => {
        const head = victim.entries.length;
        write(lines.slice(0, -2), lines.at(-2)?.slice(0, 100));
        const count = victim.groups.at(-2)?.length ?? 0;
        expect(await verdict()).toMatchObject({
          ok: true,
          entries: head,
          remarks: [{ remark: 'unwitnessed', count, from: head - count + 1, to: head }],
        });
        putBack();
      });

      it('with an unreadable line in its middle is damaged, which is reported last', async () => {
        write([...lines.slice(0, 5), 'not a line', ...lines.slice(5)]);
        expect(await verdict()).toMatchObject({ kind: 'witness-damaged', values: { file, line: '6' } });
        await victim.tamper(victim.recompute(250));
        expect(named(await verdict())).toBe('recomputed 250');
        await victim.putBack();
      });

      it('that lost a line narrows a change down to the entries of that line', async () => {
        const at = victim.groups.findIndex(({ length }) => length > 10);
        const group = victim.groups[at] ?? [];
        write(lines.filter((_, index) => index !== at));
        expect(await verdict()).toMatchObject({ ok: true, remarks: [{ remark: 'unwitnessed', count: group.length }] });
        await victim.tamper(victim.recompute(group[3] ?? 0));
        const following = victim.groups.slice(at + 1).find(({ length }) => length > 0);
        expect(named(await verdict())).toBe(`recomputed ${group[0]}-${following?.[0]}`);
        await victim.putBack();
      });

      it('that begins late, or is empty, leaves the log unproven', async () => {
        const head = victim.entries.length;
        write(lines.slice(-2));
        const first = victim.groups.at(-2)?.[0] ?? 0;
        expect(named(await verdict())).toBe(`unwitnessed 1-${first - 1}`);
        writeFileSync(file, '');
        expect(named(await verdict())).toBe(`unwitnessed 1-${head}`);
        putBack();
      });

      it('does not confirm entries that were added after its end', async () => {
        const head = victim.entries.length;
        await victim.tamper(victim.append(3));
        expect(await verdict()).toMatchObject({
          ok: true,
          remarks: [{ remark: 'unwitnessed', count: 3, from: head + 1, to: head + 3 }],
        });
        await victim.putBack();
      });
    });
  });
}

describe('Verification of a log of thousands', () => {
  it('names a recomputed entry around a checkpoint that fell due inside a group', async () => {
    await using service = await startService();
    await service.stop();
    await recordAtOnce(service, 1400);
    await using victim = await Victim.of(service.config);
    expect(victim.checkpointIds).toEqual([1, 1001, 1401]);
    expect(await findingAfter([], victim)).toBe('nothing');
    for (const id of [1000, 1001, 1002]) {
      expect(await findingAfter(victim.recompute(id), victim)).toBe(`recomputed ${id}`);
    }
  });
});
