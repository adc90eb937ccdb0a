// GET /query

import { visibleTable } from '#access/table-rights.ts';
import { formatNotAvailable, invalidQuery, wrongFormat } from '#contract/errors.ts';
import { type Fields, type LogEngine, TableGone, type TableSpec } from '#engines/engine.ts';
import { Answer, type Call, endpoint } from '#http/endpoint.ts';
import { anyText, oneOf, orElse, required, rowNumber, words } from '#http/params.ts';
import type { Clock } from '#kernel/clock.ts';
import { parseQuery, placeOf, QueryMistake, type SliceQuery, type Word } from '#query/first-slice.ts';
import { FORMATS, lines, single } from './output.ts';

const NDJSON = 'application/x-ndjson';
const q = { ...anyText, schema: { ...anyText.schema, examples: ['table duration=1h web'] } };

export const run = endpoint({
  title: 'Run query',
  notes:
    'The rows of a query, one JSON object per line, or all in one object with `format=json-single`. So far: `table [duration=1h | from=... to=...] [order=desc|asc] [offset=N] [limit=N] NAME [| stats count]`.',
  method: 'GET',
  path: '/api/core/query',
  access: 'MEMBER',
  audit: 'query.run',
  params: {
    q: required(q),
    offset: orElse(rowNumber, 0),
    limit: rowNumber,
    fields: words,
    format: orElse(oneOf(FORMATS, wrongFormat), 'json'),
  },
  answer: { type: 'object', additionalProperties: true },
  answerType: NDJSON,

  async run(input, needs: Call & Needs) {
    const { format, fields, offset, limit = Number.MAX_SAFE_INTEGER } = input;
    if (format !== 'json' && format !== 'json-single') throw formatNotAvailable(format);
    return await refusingMistakes(input.q, async () => {
      const query = parseQuery(input.q, { now: needs.clock.now(), zone: needs.zone });
      const table = await visibleTable(needs.db, needs.caller, query.table.text);
      if (!table) throw noTable(query.table);
      const output = { fields, zone: needs.zone };
      // Up to the first rows an error is an ordinary answer.
      const blocks = await begun(blocksOf(query, { offset, limit }, { engine: needs.engine, table }));
      if (format === 'json') return new Answer(lines(blocks, output), { headers: { 'content-type': NDJSON } });
      return new Answer(single(blocks, await totalOf(query, { engine: needs.engine, table }), output));
    });
  },
});

interface Needs {
  readonly clock: Clock;
  readonly engine: LogEngine;
  readonly zone: string;
}

interface Source {
  readonly engine: LogEngine;
  readonly table: TableSpec;
}

const noTable = (word: Word) => new QueryMistake(10001, `there is no table ${word.text}`, word);

/** The page `asked` of the rows that the query gives. */
async function* blocksOf(
  query: SliceQuery,
  asked: { offset: number; limit: number },
  { engine, table }: Source,
): AsyncGenerator<readonly Fields[]> {
  if (query.isCount) {
    const rows = [{ count: await engine.count(table, query.range) }];
    yield rows.slice(asked.offset, asked.offset + asked.limit);
    return;
  }
  const offset = Math.min(query.offset + asked.offset, Number.MAX_SAFE_INTEGER);
  const limit = Math.max(0, Math.min(query.limit - asked.offset, asked.limit));
  yield* engine.read(table, { range: query.range, order: query.order, offset, limit });
}

/** The same blocks, once the first of them is there. */
async function begun<T>(blocks: AsyncGenerator<T>): Promise<AsyncGenerator<T>> {
  const first = await blocks.next();
  return (async function* () {
    // Whoever stops early stops the reading.
    try {
      if (!first.done) yield first.value;
      yield* blocks;
    } finally {
      await blocks.return(undefined);
    }
  })();
}

/** How many rows the query gives, whatever page was asked for. */
async function totalOf({ isCount, range, offset, limit }: SliceQuery, { engine, table }: Source): Promise<number> {
  if (isCount) return 1;
  return Math.min(Math.max((await engine.count(table, range)) - offset, 0), limit);
}

async function refusingMistakes<T>(text: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const mistake = cause instanceof TableGone ? noTable({ text: cause.message, begin: 0 }) : cause;
    if (!(mistake instanceof QueryMistake)) throw cause;
    throw Object.assign(invalidQuery(mistake.code, mistake.message, placeOf(text, mistake.begin)), { cause });
  }
}
