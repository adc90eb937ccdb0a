// Texts of queries that are as long, wide or deep as may be, where they are read and planned but nothing runs: each is answered,
// and holds the main thread of the service for no longer than a slice of it takes.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Home, makeHome, type VigilProcess } from '#test/support/process.ts';
import type { Caller } from '#test/support/queries.ts';
import { createSchema, MINIMAL, rulesOf } from '#test/support/rules.ts';
import { MASTER_KEY, send } from '#test/support/service.ts';
import { attemptsWithin, fill, PROBE, probed } from './holders.ts';

/** Milliseconds of processor time in one turn: a slice takes four, and the garbage of long texts up to twenty beside it. */
const MAX_HELD_MS = 40;

const many = (count: number, piece: (at: number) => string, joint = ', ') =>
  Array.from({ length: count }, (_, at) => piece(at)).join(joint);

const PROCEDURES = '/api/core/procedures';
const PARSERS = '/api/core/parsers';

/** What is behind the table, or in its place. */
const TEXTS: readonly (readonly [name: string, text: string])[] = [
  ['parentheses that only open', `search ${'('.repeat(90_000)}n == 1`],
  ['parentheses that close again', `search ${'('.repeat(45_000)}n == 1${')'.repeat(45_000)}`],
  ['names of fields', `fields ${many(14_000, (at) => `f${at}`)}`],
  ['names to sort by', `sort ${many(14_000, (at) => `f${at}`)}`],
  ['names to rename', `rename ${many(6000, (at) => `f${at} as g${at}`)}`],
  ['assignments', `eval ${many(8000, (at) => `a${at} = n`)}`],
  ['calls', `eval ${many(4000, (at) => `a${at} = concat(path, "${at}")`)}`],
  ['sums', `eval ${many(600, (at) => `a${at} = ${many(40, (of) => `b${of}`, '+')}`)}`],
  ['aggregates', `stats ${many(5000, (at) => `sum(n) as s${at}`)}`],
  ['groups', `stats count by ${many(14_000, (at) => `f${at}`)}`],
  ['a chain of conditions', `search ${many(6000, (at) => `n == ${at}`, ' or ')}`],
  ['members', `search in(n, ${many(16_000, (at) => `${at}`)})`],
  ['members with wildcards', `search in(path, ${many(9000, (at) => `"*${at}*"`)})`],
  ['conditions in one another', `search ${many(300, () => `${'not('.repeat(60)}n${')'.repeat(60)}`, ' or ')}`],
  ['constants', `eval x = ${many(200, () => `(${many(100, (at) => `${at}`, '+')})`, ' or ')}`],
  ['words', `top 10 ${many(7000, (at) => `f${at}`)} by ${many(7000, (at) => `g${at}`)}`],
];

describe('A long text', () => {
  let home: Home;
  let running: VigilProcess;
  let service: Caller;

  beforeAll(async () => {
    home = makeHome();
    running = home.serve({ VIGIL_MASTER_KEY: MASTER_KEY }, { probe: PROBE });
    const url = await running.ready();
    service = { call: (method, path, how) => send(`${url}${path}`, method, how) };
    await fill(service);
    // What the first text loads and compiles is so once in the life of a process.
    for (const [, text] of TEXTS) await check(`table web | ${text.slice(0, 20_000)}`);
  });
  afterAll(() => home[Symbol.dispose]());

  const check = (q: string) => service.call('POST', '/api/core/queries/check', { json: { q } });

  const holdsNobody = (call: () => Promise<{ readonly status: number }>, status = 200) =>
    attemptsWithin(MAX_HELD_MS, async () => {
      await probed(running.child, 'begin');
      const answer = await call();
      const held = await probed(running.child, 'found');
      expect(answer.status).toBe(status);
      return held;
    });

  it.each(TEXTS)('holds up nobody when it is checked: %s', async (_, text) => {
    await holdsNobody(() => check(`table web | ${text}`));
  });

  it('holds up nobody as that of a procedure, and where it is called', async () => {
    const query = `table web | eval ${many(4000, (at) => `a${at} = n + ${at}`)}`;
    let made = 0;
    await holdsNobody(() => {
      made += 1;
      return service.call('POST', PROCEDURES, { json: { name: `long_${made}`, query } });
    });
    await holdsNobody(() => check('proc long_1()'));
  });

  it('holds up nobody as the condition of a stream rule', async () => {
    await createSchema(service, 'least');
    const query = `search ${many(4000, (at) => `n == ${at}`, ' or ')}`;
    const commands = JSON.stringify([{ template_id: 1, query }]);
    let made = 0;
    await holdsNobody(() => {
      made += 1;
      const form = { ...MINIMAL.stream, name: `long ${made}`, commands };
      return service.call('POST', rulesOf('stream'), { form });
    });
  });

  it('holds up nobody as that of a parser', async () => {
    const query = `eval ${many(1800, (at) => `a${at} = len(line) + ${at}`)}`;
    let made = 0;
    await holdsNobody(() => {
      made += 1;
      const configs = { query };
      return service.call('POST', PARSERS, {
        json: { code: `long_${made}`, name: `long ${made}`, factory_name: 'query', configs },
      });
    });
  });
});
