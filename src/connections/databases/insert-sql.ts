// The SQL that stores rows in a table. Names go through the quoting of the database, values are marks.

import type { DatabaseOutput } from '#query/plan-nodes/dboutput.ts';

type Target = Pick<DatabaseOutput, 'dialect' | 'table' | 'columns' | 'key'>;

export function insertSql({ dialect, table, columns, key }: Target, rows: number): string {
  const quoted = (name: string) => quotedName(name, dialect);
  const names = columns.map(({ column }) => quoted(column));
  const mark = (index: number) => (dialect === 'postgresql' ? `$${index + 1}` : '?');
  const tuples = Array.from(
    { length: rows },
    (_, row) => `(${names.map((_name, at) => mark(row * names.length + at)).join(', ')})`,
  );
  const insert = `insert into ${table.map(quoted).join('.')} (${names.join(', ')}) values ${tuples.join(', ')}`;
  if (key.length === 0) return insert;
  const others = columns.map(({ column }) => column).filter((column) => !key.includes(column));
  return `${insert} ${updateClause({ dialect, key, others }, quoted)}`;
}

function updateClause(
  { dialect, key, others }: { dialect: Target['dialect']; key: readonly string[]; others: readonly string[] },
  quoted: (name: string) => string,
): string {
  if (dialect === 'postgresql') {
    const conflict = `on conflict (${key.map(quoted).join(', ')})`;
    if (others.length === 0) return `${conflict} do nothing`;
    return `${conflict} do update set ${others.map((name) => `${quoted(name)} = excluded.${quoted(name)}`).join(', ')}`;
  }
  // A key alone is set to itself.
  const set = others.length === 0 ? key : others;
  return `on duplicate key update ${set.map((name) => `${quoted(name)} = values(${quoted(name)})`).join(', ')}`;
}

const quotedName = (name: string, dialect: Target['dialect']): string =>
  dialect === 'postgresql' ? `"${name.replaceAll('"', '""')}"` : `\`${name.replaceAll('`', '``')}\``;
