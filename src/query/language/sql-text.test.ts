import { describe, expect, it } from 'vitest';
import { markedSql, readSql, type SqlDialect } from './sql-text.ts';

const marked = (text: string, dialect: SqlDialect) => markedSql(readSql(text, dialect), dialect);

describe('SQL of a connection profile', () => {
  it.each([
    ['select :a', 'select $1', ['a']],
    ['select :a, :b, :a', 'select $1, $2, $1', ['a', 'b']],
    ["select ':a' , :b", "select ':a' , $1", ['b']],
    ["select 'it''s :a', :b", "select 'it''s :a', $1", ['b']],
    ["select 'a\\', :b", "select 'a\\', $1", ['b']],
    ["select E'a\\':x', :b", "select E'a\\':x', $1", ['b']],
    ["select note'a\\', :b", "select note'a\\', $1", ['b']],
    ['select "a:b" from t where x = :b', 'select "a:b" from t where x = $1', ['b']],
    ['select $$:a$$, $t$ :b; $t$, :c', 'select $$:a$$, $t$ :b; $t$, $1', ['c']],
    ['select a$b$c, :b', 'select a$b$c, $1', ['b']],
    ['select 1 -- :a\n, :b', 'select 1 -- :a\n, $1', ['b']],
    ['select /* :a /* ; */ :b */ :c', 'select /* :a /* ; */ :b */ $1', ['c']],
    ['select :a::text, x::int', 'select $1::text, x::int', ['a']],
    ['select 1;', 'select 1', []],
    ['select 1 ; -- done; :a', 'select 1 ', []],
    ['select :1, : a', 'select :1, : a', []],
    ['select `:a`', 'select `$1`', ['a']],
  ])('of PostgreSQL %j is sent as %j', (text, sent, names) => {
    expect(marked(text, 'postgresql')).toEqual({ text: sent, names });
  });

  it.each([
    ['select :a, :a', 'select ?, ?', ['a', 'a']],
    ["select 'a\\':x', :b", "select 'a\\':x', ?", ['b']],
    ['select "a\\":x", :b', 'select "a\\":x", ?', ['b']],
    ['select `a``:x`, :b', 'select `a``:x`, ?', ['b']],
    ['select 1 # :a\n, :b', 'select 1 # :a\n, ?', ['b']],
    ['select 1 --:a', 'select 1 --?', ['a']],
    ['select 1 -- :a', 'select 1 -- :a', []],
    ['select /* /* :a */ :b', 'select /* /* :a */ ?', ['b']],
    ['select 1 /*! , :a */', 'select 1 /*! , ? */', ['a']],
    ['select $$, :a', 'select $$, ?', ['a']],
  ])('of MySQL %j is sent as %j', (text, sent, names) => {
    expect(marked(text, 'mysql')).toEqual({ text: sent, names });
  });

  it.each([
    ['select 1', 'select'],
    [' ( ( SELECT 1))', 'select'],
    ['-- a\n/* b */ (With x as (select 1) select 1', 'with'],
    ["copy (select 1) to program 'id'", 'copy'],
    ['set transaction read write', 'set'],
    ['commit', 'commit'],
    [':a', ''],
    ["'select'", ''],
    ['', ''],
    ['-- select 1', ''],
    ['; select 1', ''],
    ['1 select', ''],
  ])('%j begins with the word %j', (text, word) => {
    expect(readSql(text, 'postgresql').firstWord).toBe(word);
  });

  it('of MySQL that begins with a comment that is executed has no first word', () => {
    expect(readSql('/*!50000 delete */ select 1', 'mysql').firstWord).toBe('');
    expect(readSql('/*M! delete */ select 1', 'mysql').firstWord).toBe('');
    expect(readSql('/* x */ select 1', 'mysql').firstWord).toBe('select');
  });

  it.each([
    ['select 1; select 2', 10],
    ['select 1; ;', 10],
    ["select ';' ; x", 13],
    ['select 1; -- only a comment', undefined],
    ['select \';\', $$;$$, ";" /* ; */', undefined],
  ])('%j has a second statement at %j', (text, at) => {
    expect(readSql(text, 'postgresql').secondAt).toBe(at);
  });
});
