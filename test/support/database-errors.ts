// Queries with one mistake each in the use of a database, by its code. «» mark the place and are no part of the query.

export const errorsOfDatabases: Readonly<Record<number, readonly string[]>> = {
  10600: [
    'dbquery «nodb» select 1',
    'dbquery «"no db"» select 1',
    'dbquery «api» select 1',
    'dbquery «$("word")» select 1',
    'table t | dblookup «nodb» select 1',
    'table t | dboutput «nodb» table=x a',
  ],
  10602: ['«dbquery» db', '«dbquery» db limit=1', 'dbquery db «""»', 'table t | «dblookup» db'],
  10603: ['dbquery db select 1; «select 2»', 'dbquery db "select 1;«;»"', 'table t | dblookup db select 1; «x»'],
  10605: [
    `dbquery db «copy (select 1) to program 'id'»`,
    'dbquery db «set transaction read write»',
    'dbquery db «"commit"»',
    'dbquery db «set search_path = x»',
    'table t | dblookup db «delete from t»',
    'dbquery my «/*! delete from t */ select 1»',
  ],
  30200: ['table t | «dboutput» db a'],
  30201: ['table t | dboutput «my» table=x a'],
  30203: [
    'table t | dboutput db table=x «key=a» a',
    'table t | dboutput db table=x «type=upsert» a',
    'table t | dboutput db table=x type=upsert «key=b» a',
  ],
};
