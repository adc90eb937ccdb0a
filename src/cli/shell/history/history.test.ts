import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { History, MAX_ENTRIES } from './history.ts';
import { HistoryFile } from './history-file.ts';
import { HistorySearch } from './history-search.ts';

describe('The history', () => {
  it('goes back and forth, and comes back to what was being typed', () => {
    const history = new History(['a', 'b']);
    expect([history.older('ty'), history.older('b'), history.older('a')]).toEqual(['b', 'a', undefined]);
    expect([history.newer(), history.newer(), history.newer()]).toEqual(['b', 'ty', undefined]);
  });

  it('leaves out blanks, repetitions and what is too long', () => {
    const history = new History(['a']);
    expect(['a', ' ', 'b', 'x'.repeat(20_001)].map((text) => history.add(text))).toEqual([false, false, true, false]);
    expect(history.entries).toEqual(['a', 'b']);
  });

  it('forgets the oldest', () => {
    const history = new History(Array.from({ length: MAX_ENTRIES }, (_, at) => String(at)));
    history.add('new');
    expect([history.entries.length, history.entries[0], history.entries.at(-1)]).toEqual([MAX_ENTRIES, '1', 'new']);
  });

  it('is searched for the newest that fits, and older ones', () => {
    const search = new HistorySearch(new History(['table Web', 'table auth', 'table web']));
    const typed = (text: string) => search.take({ text, isPasted: false });
    const again = () => search.take({ name: 'search-history' });
    typed('we');
    expect(search.found).toBe('table web');
    again();
    expect(search.found).toBe('table Web');
    again();
    expect(search.found).toBe('table Web');
    typed('x');
    expect(search.found).toBeUndefined();
    search.take({ name: 'backspace' });
    search.take({ name: 'backspace' });
    search.take({ name: 'backspace' });
    typed('W');
    expect([search.text, search.found]).toEqual(['W', 'table Web']);
    expect(search.take({ name: 'enter' })).toBe(false);
  });
});

describe('The file of the history', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-history-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const environment = { XDG_STATE_HOME: folder };
  const path = join(folder, 'vigil', 'shell-history');
  const open = (isSecret = (_: string) => false) => HistoryFile.open(environment, isSecret);

  it('is for its owner alone, and brings back statements of several lines', () => {
    expect(open().history.entries).toEqual([]);
    expect(open().add('table web\n| limit 1 "한글"')).toBeUndefined();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(open().history.entries).toEqual(['table web\n| limit 1 "한글"']);
  });

  it('never holds a secret', () => {
    const file = open((text) => text.includes('vgl_key'));
    file.add('json "vgl_key"');
    expect(file.history.entries.length).toBe(1);
    expect(readFileSync(path, 'utf8')).not.toContain('vgl_key');
  });

  it('is made private where it was not, survives lines that are none of its own, and is cut short', () => {
    const lines = Array.from({ length: MAX_ENTRIES * 2 }, (_, at) => JSON.stringify(`q${at}`));
    writeFileSync(path, `nonsense\n{"a":1}\n${lines.join('\n')}\n"last"\n`, { mode: 0o644 });
    const file = open();
    expect([file.history.entries.length, file.history.entries.at(-1)]).toEqual([MAX_ENTRIES, 'last']);
    expect(readFileSync(path, 'utf8').split('\n').length).toBe(MAX_ENTRIES + 1);
    file.add('more');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('tells why it cannot be written', () => {
    const blocked = mkdtempSync(join(folder, 'blocked-'));
    mkdirSync(join(blocked, 'vigil', 'shell-history'), { recursive: true });
    const file = HistoryFile.open({ XDG_STATE_HOME: blocked }, () => false);
    expect(file.add('x')).toEqual({ path: join(blocked, 'vigil', 'shell-history'), code: 'EISDIR' });
  });
});
