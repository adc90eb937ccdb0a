// GET /queries

import type { Nodes } from '#cluster/members/membership.ts';
import { searchKeyword, searchText } from '#kernel/text/search-text.ts';
import { arrayOf, int32, record, type TypeOf } from '#operations/answers/shapes.ts';
import { described } from '#operations/described.ts';
import { Answer, type Call, endpoint } from '#operations/endpoint.ts';
import { anyText, flag, type InputOf, int, keywords, oneOf, orElse, paging } from '#operations/params/params.ts';
import { namesOfUnanswered, unanswered } from '#operations/shared-fields.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import type { LiveQuery } from '#queries/live-query.ts';
import { QUERY_SOURCES } from '#queries/names/sources.ts';
import { forEachYielding, SliceTimer } from '#runtime/event-loop.ts';
import { queryRecord } from './model.ts';

/** Queries on one page. */
const MAX_LIMIT = 1000;
/** Characters of one part of the answer. */
const PART_CHARACTERS = 64 * 1024;

const queryList = record({
  total_count: int32('Number of matches on all pages.'),
  queries: arrayOf(queryRecord)('The matches on this page.'),
  unanswered,
});

export const list = endpoint({
  title: 'List queries',
  notes:
    'Those of all living nodes, by their start, the newest first. A MEMBER sees its own; `keywords` is contained in the text, ' +
    '`login_name` is equal. A page has at most 1,000. `unanswered` names the nodes that did not answer within 5 seconds.',
  method: 'GET',
  path: '/api/core/queries',
  access: 'MEMBER',
  params: {
    offset: paging.offset,
    limit: orElse(int(0n, BigInt(MAX_LIMIT)), MAX_LIMIT, 'Largest number of matches on the page.'),
    keywords,
    login_name: described(anyText, 'Login name of the account whose queries are listed.'),
    source: described(oneOf(QUERY_SOURCES), 'Origin of the listed queries.'),
    is_finished: described(flag, 'Whether the listed queries have ended; both where absent.'),
  },
  answer: queryList,

  async run(input, { queries, nodes, caller, askOthers }: Call & { queries: LiveQueries; nodes: Nodes }) {
    const { offset, limit } = input;
    const matching: LiveQuery[] = [];
    const isMatch = matcherOf(input);
    await forEachYielding(queries.visible(caller), (query) => {
      if (isMatch(query)) matching.push(query);
    });
    const others = await newestOfOthers(offset + limit, askOthers);
    const own = matching.map((query): Listed => {
      const shown = () => ({ ...queries.listed(query, caller.locale), node: nodes.own.name });
      return { id: query.id, start_time: startOf(query), shown };
    });
    const all = [...own, ...others.queries].sort(
      (one, other) => other.start_time - one.start_time || other.id - one.id,
    );
    const page = all.slice(offset, offset + limit);
    const rest = { total_count: matching.length + others.total, ...namesOfUnanswered(others.unanswered) };
    // In parts: constants make a record long, and a page of long ones is more than one text can hold.
    return new Answer<never>(partsOf(page, rest));
  },
});

type QueryPage = TypeOf<typeof queryList>;
type Filters = Pick<InputOf<typeof list.params>, 'keywords' | 'login_name' | 'source' | 'is_finished'>;

/** A query of any node by its place in the list. */
interface Listed {
  readonly id: number;
  readonly start_time: number;
  shown(): object;
}

function matcherOf({ keywords: given, login_name, source, is_finished }: Filters): (query: LiveQuery) => boolean {
  const keyword = given === undefined ? undefined : searchKeyword(given);
  return ({ request, isFinished }) =>
    (login_name === undefined || request.caller.login === login_name) &&
    (source === undefined || request.source === source) &&
    (is_finished === undefined || isFinished === is_finished) &&
    (keyword === undefined || searchText([request.text]).includes(keyword));
}

/** The first `count` queries of each other node, among which the page is. They come in pages, too. */
async function newestOfOthers(count: number, askOthers: Call['askOthers']) {
  const found = new Map<string, Listed>();
  const silent = new Set<string>();
  let total = 0;
  let isLast = false;
  for (let offset = 0; !isLast; offset += MAX_LIMIT) {
    const limit = Math.min(count - offset, MAX_LIMIT);
    const { answers, unanswered: names } = await askOthers({ offset: String(offset), limit: String(limit) });
    const pages = answers as readonly QueryPage[]; // Nodes answer in one shape.
    for (const name of names) silent.add(name);
    // A query that began meanwhile moves the others to the next page.
    for (const query of pages.flatMap((page) => page.queries))
      found.set(`${query.node} ${query.id}`, { ...query, shown: () => query });
    if (offset === 0) total = pages.reduce((sum, { total_count }) => sum + total_count, 0);
    isLast = offset + limit >= count || pages.every(({ queries }) => queries.length < limit);
  }
  return { queries: [...found.values()], total, unanswered: [...silent] };
}

async function* partsOf(page: readonly Listed[], rest: Omit<QueryPage, 'queries'>): AsyncGenerator<string> {
  const timer = new SliceTimer();
  let part = `${JSON.stringify(rest).slice(0, -1)},"queries":[`;
  for (const [at, query] of page.entries()) {
    part += `${at === 0 ? '' : ','}${JSON.stringify(query.shown())}`;
    if (part.length < PART_CHARACTERS) continue;
    yield part;
    part = '';
    await timer.yieldIfDue();
  }
  yield `${part}]}`;
}

/** As the record tells it. */
const startOf = ({ times }: LiveQuery): number => (times.begun ?? times.accepted).epochMilliseconds;
