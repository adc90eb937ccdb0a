// Examples of the query language as the references show them: one item a line.

import type { ExampleRow, QueryExample } from '#query/model/example.ts';

export function exampleText(example: QueryExample): string {
  const { tables = {}, lookups = {}, groups = {}, procedures = {}, constants = {} } = example;
  const lines = [
    ...named(lookups).map(([name, { key, rows }]) => ['lookup', `${name} by ${key}: ${rowsText(rows)}`]),
    ...named(groups).map(([guid, entries]) => ['group', `${guid}: ${entries.join(', ')}`]),
    ...named(procedures).map(([name, one]) => [
      one.isCommand ? 'command' : 'procedure',
      `${name}(${parameters(one.parameters)}) = ${one.query}`,
    ]),
    ...named(constants).map(([name, value]) => ['constant', `${name} = ${JSON.stringify(value)}`]),
    ...named(tables).map(([name, rows]) => ['table', `${name}: ${rowsText(rows)}`]),
    ['query', example.query],
    ...outcomeOf(example),
  ];
  const width = Math.max(...lines.map(([label = '']) => label.length));
  return lines.map(([label = '', text = '']) => `${label.padEnd(width)}  ${text}`).join('\n');
}

const named = <T>(record: Readonly<Record<string, T>>): [string, T][] => Object.entries(record);

function outcomeOf({ gives, columns, stores = {}, writes = {}, refused }: QueryExample): string[][] {
  return [
    ...(gives ? [['gives', rowsText(gives)]] : []),
    ...(columns ? [['columns', columns.join(', ')]] : []),
    ...named(stores).map(([name, rows]) => ['stored', `${name}: ${rowsText(rows)}`]),
    ...named(writes).map(([path, text]) => ['written', `${path}: ${JSON.stringify(text)}`]),
    ...(refused ? [['refused', `${refused.code} at ${refused.begin}..${refused.end}`]] : []),
  ];
}

const rowsText = (rows: readonly ExampleRow[]) =>
  rows.length === 0 ? 'no rows' : rows.map((row) => JSON.stringify(row)).join(' ');

const parameters = (declared: Readonly<Record<string, string>>) =>
  named(declared)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ');
