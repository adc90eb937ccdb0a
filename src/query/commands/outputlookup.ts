import { fieldsText } from '#query/language/expressions/expression-text.ts';
import { about, flag, orElse, text } from '#query/language/option-readers.ts';
import type { Name } from '#query/language/words.ts';
import { type KnownColumn, SERVICE_COLUMNS } from '#query/model/columns.ts';
import {
  GEOIP,
  type KnownLookup,
  MAX_LOOKUP_COLUMNS,
  MAX_LOOKUP_NAME,
  PLAIN_LOOKUP_NAME,
} from '#query/model/lookups.ts';
import { QueryError } from '#query/model/query-error.ts';
import { command } from '#query/planning/command.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';
import { firstOfEachKey } from './shared/lookup-rows.ts';
import { columnOf, lookupText, storedLookup, takeLookupName } from './shared/lookups.ts';
import { OPTION_SUMMARIES } from './shared/option-summaries.ts';

interface Values {
  readonly append: boolean | undefined;
  readonly key: string | undefined;
}

type Planning = CommandPlanning<Values>;

export const outputlookup = command({
  name: 'outputlookup',
  class: 'sink',
  syntax: 'outputlookup NAME [append=f] [key=F] [names]',
  summary: {
    en: 'Writes the rows to a stored lookup and passes every row on.',
    ko: '행을 저장된 룩업에 쓰고 내보냅니다.',
  },
  rules: [
    'The options may also stand before NAME. Names are columns of the lookup; without names each of its columns takes the field of the same name. The key is always written, and columns that are not written are null.',
    'The rows of the lookup are replaced as a whole; `append=t` keeps its other rows and replaces rows whose key comes again. Of equal keys in the input the first row counts; null keys are skipped.',
    'A lookup that does not exist is made: with the names as columns, or without names with all known columns but `_table`, `_time`, `_id` and `_node` (at most 100), and `key=` as its key. The account whose rights count is its owner. `key=` of an existing lookup must be its key.',
    'The rows are in force together when the phase ends; a phase that fails or is cancelled changes nothing. Behind `window=` they are in force as they come (see `import`). Commands of the same phase read the former rows.',
    'Writing needs the write right on the lookup, making one an administrator. Each run writes an audit entry (`lookups.load`) with name and row count. A lookup has at most `lookup-rows` rows (93011) and 256 Mi characters (93003).',
  ],
  errors: [21201, 22201, 30301, 30302, 30303],
  examples: [
    {
      lookups: {
        users: {
          key: 'user',
          rows: [
            { user: 'kim', dept: 'sec' },
            { user: 'ann', dept: 'hr' },
          ],
        },
      },
      query:
        "json \"[{user:'kim',dept:'ops'},{user:'lee',dept:'dev'}]\" | outputlookup users append=t | drop | lookuptable users",
      gives: [
        { user: 'ann', dept: 'hr' },
        { user: 'kim', dept: 'ops' },
        { user: 'lee', dept: 'dev' },
      ],
      pushes: [2, 2, 0, 3],
    },
    {
      query: 'json "[{k:1,v:\'a\'}]" | outputlookup fresh v',
      refused: { code: 30301, begin: 36, end: 41 },
    },
    {
      query:
        "json \"[{k:1,v:'a',w:'b'},{k:1,v:'c',w:'d'},{v:'e'}]\" | outputlookup fresh key=k v | drop | lookuptable fresh",
      gives: [{ k: 1, v: 'a' }],
    },
  ],
  options: {
    append: about(orElse(false, flag), {
      en: 'Keeps the rows that the lookup has.',
      ko: '룩업의 기존 행을 그대로 둡니다.',
    }),
    key: about(text, OPTION_SUMMARIES.key),
  },
  mayBuildLookup: true,
  first: { read: takeLookupName, text: lookupText },
  *read(words, { first: name }) {
    const names = words.isDone ? [] : yield* words.takeNames([], () => words.tooFew({ term: 'columns' }));
    return { name, names };
  },
  text: ({ names }) => fieldsText(names, []),
  *plan({ name, names }, planning) {
    const { append = false } = planning.options;
    const existing = name.text === GEOIP.name ? undefined : storedLookup(name.text, planning);
    const target = existing ? writable(existing, { name, names }, planning) : newLookup({ name, names }, planning);
    const { key, columns, guid } = target;
    const records =
      names.length > 0
        ? yield* firstOfEachKey(key, names, planning)
        : yield* firstOfEachKey(key, namesOf(columns, name), planning, 'quiet');
    // The types that the columns will have are known when the sink has run.
    const untyped = columns.map((column) => ({ name: column.name, type: 'any' as const }));
    planning.pipeline.written.set(name.text, { ...target, columns: untyped, guid: guid ?? '', isWritable: true });
    return {
      ...planning.step(planning.rows),
      ...planning.account,
      ...(guid ? { stored: guid } : {}),
      kind: 'outputlookup',
      lookup: name.text,
      key,
      columns,
      append,
      records,
    };
  },
});

interface Target {
  readonly name: Name;
  readonly names: readonly Name[];
}

const namesOf = (columns: readonly KnownColumn[], { begin, end }: Name): Name[] =>
  columns.map((column) => ({ text: column.name, begin, end }));

function writable(known: KnownLookup, { name, names }: Target, planning: Planning): KnownLookup {
  if (!known.isWritable) throw new QueryError(30303, name, { name: name.text });
  const { key } = planning.options;
  if (key !== undefined && key !== known.key && !planning.isPending('key')) {
    throw new QueryError(30302, planning.optionAt('key') ?? name, { name: name.text, key: known.key });
  }
  for (const one of names) columnOf(known, one);
  return known;
}

function newLookup({ name, names }: Target, planning: Planning): KnownLookup {
  const { key } = planning.options;
  const isName = PLAIN_LOOKUP_NAME.test(name.text) && [...name.text].length <= MAX_LOOKUP_NAME;
  if (!planning.queryContext.mayMakeLookups || name.text === GEOIP.name || !isName) {
    throw new QueryError(30303, name, { name: name.text });
  }
  if (key === undefined && !planning.isPending('key')) throw new QueryError(30301, name);
  const known = planning.rows.columns.filter((column) => !SERVICE_COLUMNS.includes(column.name));
  const fields = names.length > 0 ? names.map(({ text: one }) => one) : known.map((column) => column.name);
  const columns = [...new Set(key === undefined || fields.includes(key) ? fields : [key, ...fields])];
  if (columns.length > MAX_LOOKUP_COLUMNS) {
    throw new QueryError(22201, name, { n: columns.length, max: MAX_LOOKUP_COLUMNS });
  }
  return { name: name.text, key: key ?? '', columns: columns.map((one) => ({ name: one, type: 'any' })) };
}
