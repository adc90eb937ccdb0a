// What each process that writes has committed last. A commit whose answer was lost is looked up here. In a file of one
// process no answer can be lost.

import type { Migration } from './index.ts';

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
