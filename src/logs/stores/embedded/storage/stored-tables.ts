// Where the files of a table are in a data folder.

import type { TableSpec } from '#logs/log-store.ts';

/** The folder of a table, by its name in the folder of all tables. */
export const folderOf = ({ name, id }: TableSpec): string => `${name}.${id}`;
