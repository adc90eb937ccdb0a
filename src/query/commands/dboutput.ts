import { mapSliced } from '#kernel/sliced-work.ts';
import { fieldText } from '#query/language/expressions/expression-text.ts';
import { about, flag, oneOf, orElse, text, whole } from '#query/language/option-readers.ts';
import type { Name, Words } from '#query/language/words.ts';
import type { Span } from '#query/model/expression.ts';
import { QueryError } from '#query/model/query-error.ts';
import { command } from '#query/planning/command.ts';
import { databaseProfile, profileWord } from './shared/database.ts';

const KEYWORDS = ['as'];
const MAX_BATCH = 10_000n;

interface Written {
  readonly from: Name;
  readonly to: Name;
}

export const dboutput = command({
  name: 'dboutput',
  class: 'sink',
  syntax:
    'dboutput PROFILE table=TABLE [type=insert] [key=COLUMN,...] [batchsize=2000] [rowretry=f] [stoponfail=t] F [as COLUMN], ...',
  summary: {
    en: 'Writes the named fields of every row to a table of the database of a connection profile and passes the row on.',
    ko: '행을 접속 프로파일의 데이터베이스 테이블에 쓰고 내보냅니다.',
  },
  rules: [
    'TABLE is `NAME` or `SCHEMA.NAME`; table and columns are quoted as the database does it. The options may stand before PROFILE too.',
    '`type=upsert` needs `key`, columns among the written ones: a row with that key is updated, else inserted. With `type=insert` a `key` is 30203. In MariaDB and MySQL any unique key of the table decides.',
    '`batchsize` rows (1 to 10,000) are one transaction. Batches that are stored stay stored when the query fails or is cancelled later.',
    'A refused batch ends the query with 30202. `stoponfail=f` leaves the batch out and goes on; `rowretry=t` sends its rows once more one by one, so that only refused rows count. The number of rows left out is the warning 90910.',
    'The profile must be writable, and a MEMBER needs a grant with `read_only` false (30201). Each run writes an audit entry with profile, table and row count (`query.store`).',
  ],
  errors: [10600, 10601, 30102, 30200, 30201, 30202, 30203, 90008],
  examples: [
    {
      databases: { crm: { hits: [{ ip: '10.0.0.1', n: 1 }] } },
      query: `json "[{ip:'10.0.0.1',c:5},{ip:'10.0.0.2',c:6}]" | dboutput crm table=hits type=upsert key=ip ip, c as n | stats count`,
      gives: [{ count: 2 }],
      holds: {
        crm: {
          hits: [
            { ip: '10.0.0.1', n: 5 },
            { ip: '10.0.0.2', n: 6 },
          ],
        },
      },
      pushes: [2, 2, 1],
    },
    { query: 'json "{a:1}" | dboutput crm a', refused: { code: 30200, begin: 15, end: 23 } },
  ],
  options: {
    table: about(text, { en: 'Table that is written.', ko: '쓸 테이블입니다.' }),
    type: about(orElse('insert', oneOf(['insert', 'upsert'])), {
      en: 'How rows are written.',
      ko: '행을 쓰는 방법입니다.',
    }),
    key: about(text, { en: 'Columns that tell which row is replaced.', ko: '바꿀 행을 정하는 컬럼입니다.' }),
    batchsize: about(orElse(2000n, whole(1)), {
      en: 'Number of rows of one transaction.',
      ko: '한 트랜잭션의 행 수입니다.',
    }),
    rowretry: about(orElse(false, flag), {
      en: 'Sends the rows of a refused batch again, one by one.',
      ko: '거부된 배치의 행을 하나씩 다시 보냅니다.',
    }),
    stoponfail: about(orElse(true, flag), {
      en: 'Ends the query at the first refused batch.',
      ko: '첫 거부에서 쿼리를 끝냅니다.',
    }),
  },
  first: profileWord,
  *read(words, { first, nameSpan, options }) {
    if (!options.table) throw new QueryError(30200, nameSpan);
    if (words.isDone) throw new QueryError(30102, words.endSpan, { what: { term: 'field' } });
    const written = yield* words.takeList(() => takeWritten(words));
    return { first, nameSpan, written: yield* words.distinct(written, ({ to }) => to, 20100) };
  },
  text: ({ written }) => written.map(writtenText).join(', '),
  *plan({ first, nameSpan, written }, planning) {
    const profile = databaseProfile(first, planning);
    if (profile && !profile.mayWrite) throw new QueryError(30201, first, { name: profile.name });
    const { table, type = 'insert', key, batchsize = 2000n, rowretry = false, stoponfail = true } = planning.options;
    if (table === undefined && !planning.isPending('table')) throw new QueryError(30200, nameSpan);
    const columns = yield* mapSliced(written, ({ from, to }) => {
      planning.field(from);
      return { field: from.text, column: to.text };
    });
    const keys = key === undefined ? [] : key.split(',').map((name) => name.trim());
    const names = new Set(columns.map(({ column }) => column));
    const isKeyWrong =
      type === 'upsert' ? keys.length === 0 || !keys.every((name) => names.has(name)) : keys.length > 0;
    const keyAt = (): Span => planning.optionAt('key') ?? planning.optionAt('type') ?? nameSpan;
    if (isKeyWrong && !planning.isPending('key')) throw new QueryError(30203, keyAt(), { name: 'key' });
    if (batchsize > MAX_BATCH) {
      const values = { name: 'batchsize', value: String(batchsize), expected: `1 ≤ N ≤ ${MAX_BATCH}` };
      throw new QueryError(90008, planning.optionAt('batchsize') ?? nameSpan, values);
    }
    return {
      ...planning.step(planning.rows),
      ...planning.account,
      kind: 'dboutput',
      profile: profile?.name ?? '',
      profileAt: { begin: first.begin, end: first.end },
      dialect: profile?.kind ?? 'postgresql',
      table: tableName(table ?? '', planning.optionAt('table') ?? nameSpan),
      columns,
      key: keys,
      batchSize: Number(batchsize),
      isRetried: rowretry,
      stopsOnFailure: stoponfail,
    };
  },
});

/** `NAME` or `SCHEMA.NAME`. */
function tableName(written: string, span: Span): readonly string[] {
  const parts = written.split('.');
  if (parts.length <= 2 && !parts.includes('')) return parts;
  if (written === '') return [''];
  throw new QueryError(90008, span, { name: 'table', value: written, expected: 'NAME, SCHEMA.NAME' });
}

function takeWritten(words: Words): Written {
  const from = words.takeName(KEYWORDS, () => words.tooFew({ term: 'field' }));
  return { from, to: words.takeKeyword('as') ? words.takeName(KEYWORDS, () => words.tooFew({ term: 'field' })) : from };
}

function writtenText({ from, to }: Written): string {
  const name = fieldText(from.text, KEYWORDS);
  return to === from ? name : `${name} as ${fieldText(to.text, KEYWORDS)}`;
}
