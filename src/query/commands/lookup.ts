import { fieldText } from '#query/language/expressions/expression-text.ts';
import type { Name, Words } from '#query/language/words.ts';
import { withColumns } from '#query/model/columns.ts';
import { GEOIP, type KnownLookup } from '#query/model/lookups.ts';
import { QueryError } from '#query/model/query-error.ts';
import { command } from '#query/planning/command.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';
import { columnOf, type FoundLookup, lookupNamed, lookupText, nameOfLookup, takeLookupName } from './shared/lookups.ts';

const KEYWORDS = ['as', 'output'];

interface Output {
  readonly from: Name;
  readonly to: Name;
}

export const lookup = command({
  name: 'lookup',
  class: 'processing',
  syntax: 'lookup NAME F [as KEY] output COLUMN [as F], ...',
  summary: {
    en: 'Sets fields from the row of a lookup whose key equals F.',
    ko: '키가 F와 같은 룩업 행으로 필드를 채웁니다.',
  },
  rules: [
    'KEY is the declared key by default. Without a matching row the outputs are null. Where several rows of another KEY column hold the value, the first of them in the order of the declared key counts.',
    'NAME is a word or a STRING. A lookup in memory of the account comes before a stored one of the same name; inside of a procedure names are those of its owner, and a stored lookup comes first.',
    'A lookup that the text makes before counts as existing: one in memory at once, a stored one from the next phase on. A stored lookup is read as it was when the phase began.',
    '`lookup geoip F output country, region, city, latitude, longitude, asn` gives the location of an address, by the narrowest network of the file that the setting `geoip` names. A value that is no address, and every address without that setting, gives null.',
    '`as network` is the only key of `geoip`; of two equal networks the first counts. With an invalid line in the file the service does not start.',
  ],
  errors: [21200, 21201, 21202],
  examples: [
    {
      lookups: { users: { key: 'user', rows: [{ user: 'kim', dept: 'sec', floor: 3 }] } },
      tables: { given: [{ src: 'kim' }, { src: 'lee', team: 'old' }] },
      query: 'table given | lookup users src as user output dept as team, floor',
      gives: [{ src: 'kim', team: 'sec', floor: 3 }, { src: 'lee' }],
    },
    {
      lookups: { users: { key: 'user', rows: [{ user: 'kim', dept: 'sec' }] } },
      tables: { given: [{ user: 'kim', dept: 'mem' }] },
      procedures: {
        depts: { parameters: {}, query: 'json "{user:\'kim\'}" | lookup users user output dept' },
      },
      query:
        'table given | memlookup op=build name=users key=user dept | lookup users user output dept as mine | fields mine | union [ proc depts() | fields dept ]',
      gives: [{ mine: 'mem' }, { dept: 'sec' }],
    },
    {
      tables: { given: [{ ip: '10.0.0.1' }] },
      query: 'table given | lookup geoip ip output country as c',
      gives: [{ ip: '10.0.0.1', c: null }],
    },
  ],
  *read(words) {
    const missing = () => words.tooFew({ term: 'name' });
    const name = takeLookupName(words);
    const field = words.takeName(KEYWORDS, () => outputMissing(words));
    const key = words.takeKeyword('as') ? words.takeName(KEYWORDS, missing) : undefined;
    if (!words.takeKeyword('output')) throw outputMissing(words);
    const outputs: Output[] = [];
    do {
      outputs.push(takeOutput(words));
      yield;
    } while (words.take(','));
    return { name, field, key, outputs: yield* words.distinct(outputs, ({ to }) => to, 20100) };
  },
  text({ name, field, key, outputs }) {
    const by = key ? ` as ${fieldText(key.text, KEYWORDS)}` : '';
    const list = outputs.map(({ from, to }) => {
      const alias = from.text === to.text ? '' : ` as ${fieldText(to.text, KEYWORDS)}`;
      return `${fieldText(from.text, KEYWORDS)}${alias}`;
    });
    return `${lookupText(name)} ${fieldText(field.text, KEYWORDS)}${by} output ${list.join(', ')}`;
  },
  plan({ name, field, key, outputs }, planning) {
    const found = readable(name, planning);
    const known = found?.known ?? { name: name.text, key: key?.text ?? '', columns: [] };
    const keyColumn = found ? keyOf(known, key) : known.key;
    const made = outputs.map(({ from, to }) => ({
      from: from.text,
      column: planning.newColumn(to.text, found ? columnOf(known, from).type : 'any'),
    }));
    const source = planning.field(field);
    const rows = withColumns(
      planning.rows,
      made.map(({ column }) => column),
    );
    const step = { ...planning.step(rows), key: source, outputs: made };
    if (known === GEOIP) return { ...step, kind: 'geoip' };
    const built = found?.built ? { built: found.built } : {};
    const read = { ...nameOfLookup(known, planning), ...built };
    return { ...step, ...read, kind: 'lookup', keyColumn, declaredKey: known.key };
  },
});

/** The only key of `geoip`. */
const NETWORK = { name: GEOIP.key, type: 'string' } as const;

function keyOf(known: KnownLookup, key: Name | undefined): string {
  return key ? columnOf(known === GEOIP ? { ...GEOIP, columns: [NETWORK] } : known, key).name : known.key;
}

/** Undefined if an earlier command with an error may have built the lookup, so that its columns are unknown. */
function readable(name: Name, planning: CommandPlanning<unknown>): FoundLookup | undefined {
  if (name.text === GEOIP.name) return { known: GEOIP };
  try {
    return lookupNamed(name, planning);
  } catch (error) {
    if (planning.pipeline.mayHaveBuilt && error instanceof QueryError) return undefined;
    throw error;
  }
}

function takeOutput(words: Words): Output {
  const from = words.takeName(KEYWORDS, () => words.tooFew({ term: 'columns' }));
  const to = words.takeKeyword('as') ? words.takeName(KEYWORDS, () => words.tooFew({ term: 'field' })) : from;
  return { from, to };
}

const outputMissing = (words: Words) => new QueryError(21202, words.isDone ? words.endSpan : words.token());
