import { withColumns } from '#query/columns.ts';
import { command } from '#query/command.ts';
import { fieldText } from '#query/expression-text.ts';
import { QueryMistake } from '#query/mistake.ts';
import type { CommandPlanning } from '#query/planning.ts';
import { suggestionsFor } from '#query/suggestions.ts';
import type { KnownLookup } from '#query/surroundings.ts';
import type { Name, Words } from '#query/words.ts';

const KEYWORDS = ['as', 'output'];
/** Places of addresses: tier 2. */
const BUILT_IN = 'geoip';

interface Output {
  readonly from: Name;
  readonly to: Name;
}

export const lookup = command({
  name: 'lookup',
  class: 'processing',
  syntax: 'lookup NAME F [as KEY] output COLUMN [as F], ...',
  summary: 'Sets fields from the row of a lookup whose key equals F.',
  rules: ['KEY is the declared key by default. Where no row fits, the outputs are null.'],
  errors: [21200, 21201, 21202],
  examples: [
    {
      lookups: { users: { key: 'user', rows: [{ user: 'kim', dept: 'sec', floor: 3 }] } },
      tables: { given: [{ src: 'kim' }, { src: 'lee', team: 'old' }] },
      query: 'table given | lookup users src as user output dept as team, floor',
      gives: [{ src: 'kim', team: 'sec', floor: 3 }, { src: 'lee' }],
    },
  ],
  read(words) {
    const missing = () => words.tooFew({ term: 'name' });
    const name = words.takeName(KEYWORDS, missing);
    const field = words.takeName(KEYWORDS, () => outputMissing(words));
    const key = words.takeKeyword('as') ? words.takeName(KEYWORDS, missing) : undefined;
    if (!words.takeKeyword('output')) throw outputMissing(words);
    const outputs = [takeOutput(words)];
    while (words.take(',')) outputs.push(takeOutput(words));
    return { name, field, key, outputs };
  },
  text({ name, field, key, outputs }) {
    const by = key ? ` as ${fieldText(key.text, KEYWORDS)}` : '';
    const list = outputs.map(({ from, to }) => {
      const alias = from.text === to.text ? '' : ` as ${fieldText(to.text, KEYWORDS)}`;
      return `${fieldText(from.text, KEYWORDS)}${alias}`;
    });
    return `${fieldText(name.text, KEYWORDS)} ${fieldText(field.text, KEYWORDS)}${by} output ${list.join(', ')}`;
  },
  plan({ name, field, key, outputs }, planning) {
    const known = lookupNamed(name, planning);
    const keyColumn = key ? columnOf(known, key).name : known.key;
    const made = outputs.map(({ from, to }) => ({
      from: from.text,
      column: planning.newColumn(to.text, columnOf(known, from).type),
    }));
    const source = planning.field(field);
    const rows = withColumns(
      planning.rows,
      made.map(({ column }) => column),
    );
    return { ...planning.step(rows, true), kind: 'lookup', lookup: known.name, keyColumn, key: source, outputs: made };
  },
});

function takeOutput(words: Words): Output {
  const from = words.takeName(KEYWORDS, () => words.tooFew({ term: 'columns' }));
  const to = words.takeKeyword('as') ? words.takeName(KEYWORDS, () => words.tooFew({ term: 'field' })) : from;
  return { from, to };
}

const outputMissing = (words: Words) => new QueryMistake(21202, words.isDone ? words.endSpan : words.token());

function lookupNamed(name: Name, { surroundings }: CommandPlanning<unknown>): KnownLookup {
  const known = surroundings.lookups.get(name.text);
  if (known) return known;
  if (name.text === BUILT_IN) throw new QueryMistake(92003, name, { name: name.text });
  const suggestions = suggestionsFor(name.text, surroundings.lookups.keys());
  throw new QueryMistake(21200, name, { name: name.text }, { suggestions });
}

function columnOf(known: KnownLookup, name: Name): KnownLookup['columns'][number] {
  const column = known.columns.find((one) => one.name === name.text);
  if (column) return column;
  const suggestions = suggestionsFor(
    name.text,
    known.columns.map((one) => one.name),
  );
  throw new QueryMistake(21201, name, { name: known.name, column: name.text }, { suggestions });
}
