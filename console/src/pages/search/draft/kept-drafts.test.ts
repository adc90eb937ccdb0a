// Which query text a reader finds again.

import { describe, expect, it } from 'vitest';
import { draftFor, type KeptDraft, withDraft } from './kept-drafts.ts';

const kim = (ran: string, draft: string): KeptDraft => ({ account: 'kim', ran, draft });
const keep = (...drafts: readonly KeptDraft[]) => drafts.reduce<readonly KeptDraft[]>(withDraft, []);

describe('A query text that was not run', () => {
  it('is found again at its address, and where the address has no text', () => {
    const kept = keep(kim('table web', 'table web | stats count'));
    expect(draftFor(kept, 'kim', 'table web')).toBe('table web | stats count');
    expect(draftFor(kept, 'kim', '')).toBe('table web | stats count');
    expect(draftFor(kept, 'kim', 'table auth')).toBe('table auth');
  });

  it('is not shown to another account', () => {
    expect(draftFor(keep(kim('', 'table web')), 'lee', '')).toBe('');
  });

  it('is forgotten once it is run, emptied, or as it was', () => {
    const kept = keep(kim('', 'table web'));
    expect(withDraft(kept, kim('table web', 'table web'))).toEqual([]);
    expect(withDraft(kept, kim('', '  '))).toEqual([]);
    expect(withDraft(kept, kim('', ''))).toEqual([]);
  });

  it('gives way to twenty newer ones', () => {
    const many = Array.from({ length: 25 }, (_, index) => kim(`table t${index}`, `table t${index} | limit 1`));
    const kept = keep(...many);
    expect(kept).toHaveLength(20);
    expect(draftFor(kept, 'kim', '')).toBe('table t24 | limit 1');
    expect(draftFor(kept, 'kim', 'table t4')).toBe('table t4');
  });
});
