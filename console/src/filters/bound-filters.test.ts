import { describe, expect, it } from 'vitest';
import { boundFilters } from './bound-filters.ts';

interface Search {
  readonly keywords?: string | undefined;
  readonly kind?: 'batch' | 'stream' | undefined;
  readonly states?: readonly ('idle' | 'failed')[] | undefined;
  readonly page?: number | undefined;
}

function filtersOf(search: Search) {
  const changes: Search[] = [];
  return { changes, filters: boundFilters(search, (change) => changes.push(change)) };
}

describe('A filter of one value', () => {
  it('shows what the address holds, or nothing', () => {
    const { filters } = filtersOf({ kind: 'batch' });
    expect([filters.one('kind').value, filters.one('keywords').value]).toEqual(['batch', undefined]);
  });

  it('changes its own value alone', () => {
    const { filters, changes } = filtersOf({ kind: 'batch', page: 2 });
    filters.one('kind').onChange('stream');
    filters.one('kind').onChange(undefined);
    filters.one('keywords').onChange('web');
    expect(changes).toEqual([{ kind: 'stream' }, { kind: undefined }, { keywords: 'web' }]);
  });
});

describe('A filter of many values', () => {
  it('shows those that the address holds, or none', () => {
    expect(filtersOf({ states: ['failed'] }).filters.many('states').chosen).toEqual(['failed']);
    expect(filtersOf({}).filters.many('states').chosen).toEqual([]);
  });

  it('changes its own values alone', () => {
    const { filters, changes } = filtersOf({ states: ['failed'], kind: 'batch' });
    filters.many('states').onChange(['failed', 'idle']);
    filters.many('states').onChange([]);
    expect(changes).toEqual([{ states: ['failed', 'idle'] }, { states: [] }]);
  });
});
