// Names that the editor completes, as the service knows them.

import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { answerConsole, refusal, rowLines } from '#test/support/console-answers.ts';
import { serviceNames } from './service-names.ts';

const CHECK = 'POST /api/core/queries/check';
const SAMPLE = 'GET /api/core/query';
const columns = (...names: string[]) => names.map((name) => ({ name, type: 'string' }));
const names = () => serviceNames(new QueryClient({ defaultOptions: { queries: { retry: false } } }), 'ko');

describe('The fields of a pipeline', () => {
  it('are its columns', async () => {
    const requests = answerConsole({
      [CHECK]: () => ({ columns: columns('_time', '상태'), commands: [], tables: ['web'] }),
    });
    expect(await names().fields('table web ')).toEqual(['_time', '상태']);
    expect(requests.map(({ params }) => params)).toEqual([{ q: 'table web ' }]);
  });

  it('are those after its last command that can be read, while it is not finished', async () => {
    const commands = [{ columns: columns('a') }, { columns: columns('a', 'b') }, { columns: null }];
    answerConsole({ [CHECK]: () => ({ columns: [], commands, tables: [] }) });
    expect(await names().fields('table web | eval b = 1 | x')).toEqual(['a', 'b']);
  });

  it('are those of the newest records where a table declares none, of three tables at most', async () => {
    const requests = answerConsole({
      [CHECK]: () => ({ columns: columns('_time'), commands: [], tables: ['a', 'b', 'c', 'd'] }),
      [SAMPLE]: ({ params }) =>
        params.q === 'table b | limit 20'
          ? refusal(500, 'illegal-state', 'no-permission')
          : rowLines([{ x: 1 }, { _time: 't', [String(params.q).charAt(6)]: 2 }]),
    });
    expect(await names().fields('table *')).toEqual(['_time', 'x', 'a', 'c']);
    expect(requests.filter(({ operation }) => operation === SAMPLE)).toHaveLength(3);
  });

  it('are none of a text that cannot be read at all', async () => {
    answerConsole({ [CHECK]: () => ({ columns: [], commands: [], tables: [] }) });
    expect(await names().fields('nonsense')).toEqual([]);
  });
});

const LIMIT = { name: 'limit', kind: 'row', syntax: 'limit [skip] count', summary: '', options: [] };
const own = (name: string) => ({
  name,
  description: 'Agents.',
  parameters: [{ key: 'kind', type: 'string', description: 'System.' }],
});
const SENTRY = {
  name: 'sentry',
  kind: 'driver',
  syntax: 'sentry [kind]',
  summary: 'Agents.',
  options: [{ name: 'kind', type: 'string', default: null, values: null, summary: 'System.' }],
};

describe('Tables and commands', () => {
  it('are asked for once, in the language of the reader', async () => {
    const requests = answerConsole({
      'GET /api/core/tables': () => ({ tables: [{ table_name: 'web' }, { table_name: '로그' }] }),
      'GET /api/core/query-language': () => ({ commands: [LIMIT] }),
      'GET /api/core/procedures': () => ({ procedures: [own('limit'), own('sentry')] }),
    });
    const { tables, catalogue } = names();
    expect(await tables()).toEqual(['web', '로그']);
    await tables();
    expect((await catalogue()).commands).toEqual([LIMIT, SENTRY]);
    expect(requests.map(({ operation, params }) => [operation, params.locale])).toEqual([
      ['GET /api/core/tables', undefined],
      ['GET /api/core/query-language', 'ko'],
      ['GET /api/core/procedures', undefined],
    ]);
  });
});
