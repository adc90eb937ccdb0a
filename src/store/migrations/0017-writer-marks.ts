// The last commit of each writing process, to look up a commit whose answer was lost. SQLite runs in the process, so
// its answers cannot be lost.

import type { Migration } from './migration.ts';

export const writerMarks: Migration = {
  name: 'writer marks',
  statements: ({ dialect, text }) =>
    dialect === 'sqlite'
      ? []
      : [
          `create table writer_marks (
            writer ${text} primary key,
            number bigint not null,
            at bigint not null
          )`,
        ],
};
