import { describe, expect, it } from 'vitest';
import type { OwnCommand } from '#cli/kit/help/own-commands.ts';
import { EMPTY, holding } from '#cli/shell/terminal/editor.ts';
import { seededDice } from '#kernel/dice.ts';
import { commands } from '#query/commands/index.ts';
import { FUZZ_SEED } from '#test/support/fuzz-seed.ts';
import { fuzzInput } from '#test/support/query-mutations.ts';
import { candidatesFor, type Names, optionsOf, takenBy } from './candidates.ts';
import { completed } from './completion.ts';
import { positionAt } from './completion-position.ts';

const OWN_COMMAND: OwnCommand = {
  guid: '11111111-1111-1111-1111-111111111111',
  name: 'sentry',
  query: 'table agents',
  parameters: [{ key: 'kind', type: 'string' }],
  company_public: false,
  command: true,
  owner_guid: '11111111-1111-1111-1111-111111111111',
  owner_name: 'master',
  owner_login_name: 'master',
  created: '',
  updated: '',
};

/** The service: two tables, and pipelines that have been asked about. */
const asked: string[] = [];
const names: Names = {
  tables: async () => ['web', 'web_2', 'auth'],
  async fields(pipeline) {
    asked.push(pipeline);
    if (pipeline.includes('stats')) return ['count', 'status'];
    return ['_time', 'status', 'src ip', '이름'];
  },
  commands: async () => [OWN_COMMAND],
};

/** The cursor is where the mark is; what is offered there, in its order. */
async function offered(marked: string): Promise<string[]> {
  const position = positionAt(marked.replace('‸', ''), marked.indexOf('‸'));
  return position ? await candidatesFor(position, names) : [];
}

describe('What is offered in a query', () => {
  it.each<[string, string[]]>([
    ['ta‸', ['table ']],
    ['set x = 1 | ta‸', ['table ']],
    ['# note | ta‸', ['table ']],
    ['table web | ta‸', []],
    ['sen‸', ['sentry ']],
    ['table web | union [ sen‸', ['sentry ']],
    ['table web | sen‸', []],
    ['sentry k‸', ['kind=']],
    ['sentry a, k‸', ['kind=']],
    ['nothing k‸', []],
    ['table web | sor‸', ['sort ']],
    ['table web | byp‸', ['bypass']],
    [
      'table ‸',
      ['duration=', 'from=', 'to=', 'window=', 'order=', 'offset=', 'limit=', 'parallel=', 'web', 'web_2', 'auth'],
    ],
    ['table web_‸', ['web_2']],
    ['table order=desc au‸', ['auth']],
    ['table web, au‸ | limit 1', ['auth']],
    ['table order=‸', ['desc ', 'asc ']],
    ['table order="desc" o‸', ['order=', 'offset=']],
    ['fulltext "x" from w‸', ['web', 'web_2']],
    ['system q‸', ['queries']],
    ['table web | search sta‸', ['status']],
    ['table web | search strj‸', ['strjoin(']],
    ['table web | fields sr‸', []],
    ['table web | fields field‸', ['field("src ip")']],
    ['table web | search 이‸', ['이름']],
    ['table web | stats cou‸', ['count(']],
    ['table web | stats count(sta‸', ['status']],
    ['table web | stats count(strj‸', ['strjoin(']],
    ['table web | stats count b‸', ['by ']],
    ['table web | stats count by sta‸', ['status']],
    ['table web | stats count by status | search cou‸', ['count']],
    ['table web | join type=l‸', ['left ', 'leftonly ']],
    ['table web | join status [ ta‸ ]', ['table ']],
    ['table web | join status [ table au‸ ]', ['auth']],
    ['table web | join status [ table auth | fields sta‸', ['status']],
    ['table web | rex field=sta‸', ['status ']],
    ['table web | parsejson overlay=‸', ['t ', 'f ']],
    ['table web | import w‸', ['web', 'web_2']],
    ['table web | search status == "ta‸', []],
    ['table web | # sta‸', []],
    ['table web | nonsense sta‸', []],
    ['search ta‸', ['tan(']],
  ])('%s', async (marked, expected) => {
    expect((await offered(marked)).filter((one) => !one.startsWith('_'))).toEqual(expected);
  });

  it('completes what stands before the cursor, in whatever text', () => {
    let found = 0;
    for (let seed = FUZZ_SEED; seed < FUZZ_SEED + 500; seed += 1) {
      const text = fuzzInput(seededDice(seed));
      for (const cursor of [0, Math.floor(text.length / 3), Math.floor(text.length / 2), text.length]) {
        const position = positionAt(text, cursor);
        if (!position) continue;
        expect(text.slice(position.begin, cursor)).toBe(position.word);
        found += 1;
      }
    }
    expect(found).toBeGreaterThan(500);
  });

  it('asks for the fields of the pipeline before the cursor, inside the same brackets', async () => {
    asked.length = 0;
    await offered('table web | join x [ table auth | eval a = 1 | search ‸ ] | limit 5');
    await offered('table web | eval b = "|" | search ‸');
    expect(asked.map((text) => text.trim())).toEqual(['table auth | eval a = 1', 'table web | eval b = "|"']);
  });
});

describe('What commands take, read from their syntax lines', () => {
  it('is told for each of them, with nothing that is only notation', () => {
    const keywords = new Set(commands.flatMap((command) => takenBy(command).keywords));
    expect([...keywords].sort()).toEqual(['as', 'by', 'cols', 'from', 'output', 'rows']);
    const tables = commands.filter((command) => takenBy(command).tables).map(({ name }) => name);
    expect(tables).toEqual(['table', 'fulltext', 'import']);
    const aggregating = commands.filter((command) => takenBy(command).aggregates).map(({ name }) => name);
    expect(aggregating).toEqual(['stats', 'eventstats', 'timechart', 'pivot', 'cube', 'rollup', 'streamstats']);
  });

  it('has all options that they show, and none that is not offered yet', () => {
    for (const command of commands) {
      const shown = [...command.syntax.matchAll(/\b([a-z]+)=/g)].map(([, option]) => option);
      expect([command.name, optionsOf(command).sort()]).toEqual([command.name, [...new Set(shown)].sort()]);
    }
  });
});

describe('Tab', () => {
  const tab = (text: string, begin: number, candidates: string[]) => {
    const { state, choices } = completed(holding(EMPTY, text), begin, candidates);
    return [state.text, state.cursor, choices];
  };

  it('puts in what is the only one', () => {
    expect(tab('table w', 6, ['web'])).toEqual(['table web', 9, []]);
  });

  it('puts in what all have in common, then shows them', () => {
    expect(tab('table w', 6, ['web', 'web_2'])).toEqual(['table web', 9, []]);
    expect(tab('table web', 6, ['web', 'web_2'])).toEqual(['table web', 9, ['web', 'web_2']]);
  });

  it('does nothing where there is nothing', () => {
    expect(tab('x', 0, [])).toEqual(['x', 1, []]);
  });

  it('does not double what stands behind the cursor', () => {
    const state = { text: 'sor status', cursor: 3, cut: '' };
    expect(completed(state, 0, ['sort ']).state).toMatchObject({ text: 'sort status', cursor: 4 });
  });
});
