// What an audited change has changed.

import { describe, expect, it } from 'vitest';
import { answerConsole } from '#test/support/console-answers.ts';
import type { AuditEntry } from './audit-search.ts';
import { actionOptions, categoryOptions } from './code-labels.ts';
import { changesOf, entryBefore, isChange, objectKeyOf } from './entry-changes.ts';

/** An entry with the fields that are read here. */
const entry = (fields: object): AuditEntry =>
  ({
    id: 9,
    module: 'tables',
    method: 'update',
    created_at: Date.parse('2026-11-15T01:00:00Z'),
    ...fields,
  }) as AuditEntry;

describe('An entry', () => {
  it.each([
    [{ method: 'update' }, true],
    [{ method: 'retain' }, true],
    [{ method: 'create' }, false],
    [{ method: 'update', error: 'no-permission' }, false],
  ])('%j is a change: %s', (fields, expected) => expect(isChange(entry(fields))).toBe(expected));

  it.each([
    [{ params: { guid: 'g', code: 'c' } }, 'g'],
    [{ params: { table: '웹' } }, '웹'],
    [{ params: { guid: '' }, msg_params: { code: 'c' } }, 'c'],
    [{ params: { guids: 'one' } }, 'one'],
    [{ params: { guids: 'one,two' } }, undefined],
    [{ params: { guid: 5 } }, undefined],
    [{}, undefined],
  ])('%j is of the object %s', (fields, key) => expect(objectKeyOf(entry(fields))).toBe(key));
});

describe('The entry before a change', () => {
  const LIST = 'GET /api/core/audit-logs';
  const changed = entry({ params: { guid: 'g' } });

  it('is the newest earlier one of the same object that has succeeded', async () => {
    const found = entry({ id: 3, params: { guid: 'g' } });
    const requests = answerConsole({
      [LIST]: () => ({
        audit_logs: [
          changed,
          entry({ id: 8, params: { guid: 'other' }, msg_params: { name: 'g' } }),
          entry({ id: 7, params: { guid: 'g' }, error: 'refused' }),
          found,
          entry({ id: 2, params: { guid: 'g' } }),
        ],
      }),
    });
    expect(await entryBefore(changed)).toEqual(found);
    expect(requests[0]?.params).toEqual({
      keywords: 'g',
      actions: 'tables.create,tables.update',
      to: '2026-11-15 01:00:00+0000',
      limit: '100',
    });
  });

  it('is absent where there is none', async () => {
    answerConsole({ [LIST]: () => ({ audit_logs: [changed] }) });
    expect(await entryBefore(changed)).toBeNull();
  });
});

describe('Changed values', () => {
  const rows = (after: object, before: object | null) =>
    changesOf(entry(after), before && entry(before)).map((change) => [
      change.name,
      change.before,
      change.after,
      change.isChanged,
    ]);

  it('stand beside those before, keys of the object left out', () => {
    expect(
      rows({ params: { guid: 'g', retention: 5, tags: ['a'] } }, { params: { retention: 3, tags: ['a'] } }),
    ).toEqual([
      ['retention', 3, 5, true],
      ['tags', ['a'], ['a'], false],
    ]);
  });

  it('have nothing beside them where nothing is known of before', () => {
    expect(rows({ params: { retention: 5 } }, null)).toEqual([['retention', undefined, 5, true]]);
    expect(rows({}, null)).toEqual([]);
  });

  it('have the old name that the message keeps', () => {
    const renamed = { params: { name: 'new', a: 1 }, msg_params: { name: 'old', new_name: 'new' } };
    expect(rows(renamed, null)).toEqual([
      ['name', 'old', 'new', true],
      ['a', undefined, 1, true],
    ]);
    expect(rows(renamed, { params: { name: 'older' } })[0]).toEqual(['name', 'older', 'new', true]);
  });
});

describe('Categories and actions', () => {
  it('are sorted by their labels in the language of the reader', () => {
    for (const locale of ['en', 'ko'] as const) {
      const labels = categoryOptions(locale).map(({ label }) => label);
      expect(labels).toEqual(labels.toSorted(new Intl.Collator(locale).compare));
      expect(labels.length).toBeGreaterThan(5);
    }
    expect(
      categoryOptions('ko')
        .map(({ value }) => value)
        .toSorted(),
    ).toEqual(
      categoryOptions('en')
        .map(({ value }) => value)
        .toSorted(),
    );
  });

  it('of actions are those of the chosen categories, all where none is chosen', () => {
    const tables = actionOptions('en', ['tables']).map(({ value }) => value);
    expect(tables).toContain('tables.create');
    expect(tables.filter((code) => !code.startsWith('tables.'))).toEqual([]);
    expect(actionOptions('en', []).length).toBeGreaterThan(tables.length);
    expect(actionOptions('en', ['gone'])).toEqual([]);
  });
});
