// The list of completions that the editor opens.

import { CompletionContext } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { CATALOGUE } from '#test/support/console-language.ts';
import { completionsFrom, type Names } from './completion.ts';

const asked: string[] = [];
const names: Names = {
  catalogue: async () => CATALOGUE,
  tables: async () => ['web', '로그'],
  fields: async (pipeline) => {
    asked.push(pipeline);
    return ['status', 'a b'];
  },
};

interface Typing {
  readonly lead?: string;
  /** True where the reader has asked for the list. */
  readonly isExplicit?: boolean;
}

async function listAt(text: string, { lead, isExplicit = false }: Typing = {}) {
  const context = new CompletionContext(EditorState.create({ doc: text }), text.length, isExplicit);
  const result = await completionsFrom(names, () => lead)(context);
  return result && { ...result, labels: result.options.map(({ label }) => label) };
}
const optionAt = async (text: string, label: string, typing?: Typing) =>
  (await listAt(text, typing))?.options.find((option) => option.label === label);

describe('The list of completions', () => {
  it('has drivers and settings at the beginning, and other commands behind a pipe', async () => {
    const first = (await listAt(''))?.labels;
    expect(first).toEqual(expect.arrayContaining(['table', 'fulltext', 'set', 'union']));
    expect(first).not.toContain('stats');
    const later = (await listAt('table web | '))?.labels;
    expect(later).toEqual(expect.arrayContaining(['stats', 'search']));
    expect(later).not.toContain('table');
  });

  it('goes on after a command, unless the command is complete by itself', async () => {
    expect(await optionAt('ta', 'table')).toMatchObject({ apply: 'table ' });
    expect(await optionAt('table web | ', 'drop')).toMatchObject({ apply: 'drop' });
  });

  it('has the tables where tables are read, and opens there by itself', async () => {
    expect(await listAt('table ')).toMatchObject({
      from: 6,
      labels: expect.arrayContaining(['web', '로그', 'order=']),
    });
    expect(await optionAt('table ', 'order=')).toMatchObject({ type: 'enum', info: expect.any(String) });
  });

  it('has the fields of the pipeline before, quoted where the language needs it', async () => {
    asked.length = 0;
    expect(await optionAt('table web | search st', 'a b')).toMatchObject({ apply: 'field("a b")' });
    expect(asked).toEqual(['table web ']);
    expect(await optionAt('table web | search st', 'and')).toMatchObject({ type: 'keyword' });
  });

  it('has functions with their brackets', async () => {
    expect(await optionAt('table web | search st', 'lower')).toMatchObject({ apply: 'lower(', type: 'function' });
    expect(await optionAt('table web | stats c', 'count')).toMatchObject({ boost: 1 });
  });

  it('has the values of an option, and fields where an option names one', async () => {
    expect((await listAt('table order='))?.labels).toEqual(expect.arrayContaining(['asc', 'desc']));
    const command = CATALOGUE.commands.find(({ options }) => options.some(({ name }) => name === 'field'));
    expect((await listAt(`table web | ${command?.name} field=`))?.labels).toContain('status');
  });

  it('behind a blank opens on demand alone where much can stand', async () => {
    expect(await listAt('table web | search ')).toBeNull();
    expect((await listAt('table web | search ', { isExplicit: true }))?.labels).toContain('status');
  });

  it('of a text that continues a pipeline has its places in the text', async () => {
    asked.length = 0;
    expect(await listAt('search st', { lead: 'table web' })).toMatchObject({ from: 7 });
    expect(asked).toEqual(['table web ']);
    expect((await listAt('', { lead: 'table web', isExplicit: true }))?.labels).toContain('stats');
  });

  it('asks for no fields where there is no pipeline before', async () => {
    asked.length = 0;
    expect((await listAt('fulltext a', { isExplicit: true }))?.labels).not.toContain('status');
    expect(asked).toEqual([]);
  });

  it.each(['table web | search a == "x', '# no'])('does not open in %s', async (text) => {
    expect(await listAt(text, { isExplicit: true })).toBeNull();
  });
});
