// GET /queries

import { described } from '#http/described.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { anyText, flag, keywords, oneOf, paging } from '#http/params.ts';
import { arrayOf, int32, record, type TypeOf } from '#http/shapes.ts';
import { namesOfUnanswered, unanswered } from '#http/shared-fields.ts';
import { searchKeyword, searchText } from '#kernel/search-text.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import type { LiveQuery } from '#queries/live-query.ts';
import { QUERY_SOURCES } from '#queries/sources.ts';
import type { Nodes } from '#store/nodes.ts';
import { queryRecord } from './model.ts';

const MAX_LIMIT = 2 ** 31 - 1;

const queryList = record({
  total_count: int32('Number of matches on all pages.'),
  queries: arrayOf(queryRecord)('The matches on this page.'),
  unanswered,
});

export const list = endpoint({
  title: 'List queries',
  notes:
    'Those of all living nodes, by their start, the newest first. A MEMBER sees its own; `keywords` is contained in the text, ' +
    '`login_name` is equal. `unanswered` names the nodes that did not answer within 5 seconds.',
  method: 'GET',
  path: '/api/core/queries',
  access: 'MEMBER',
  params: {
    ...paging,
    keywords,
    login_name: described(anyText, 'Login name of the account whose queries are listed.'),
    source: described(oneOf(QUERY_SOURCES), 'Origin of the listed queries.'),
    is_finished: described(flag, 'Whether the listed queries have ended; both where absent.'),
  },
  answer: queryList,

  async run(input, { queries, nodes, caller, askOthers }: Call & { queries: LiveQueries; nodes: Nodes }) {
    const { offset, limit, keywords, login_name, source, is_finished } = input;
    const matching = queries
      .visible(caller)
      .filter(({ request }) => keywords === undefined || searchText([request.text]).includes(searchKeyword(keywords)))
      .filter(({ request }) => login_name === undefined || request.caller.login === login_name)
      .filter(({ request }) => source === undefined || request.source === source)
      .filter(({ isFinished }) => is_finished === undefined || isFinished === is_finished)
      .sort((one, other) => startOf(other) - startOf(one) || other.id - one.id);
    // Each node tells its newest: the page is among them.
    const end = Math.min(offset + limit, MAX_LIMIT);
    const { answers, unanswered: silent } = await askOthers({ offset: '0', limit: String(end) });
    const others = answers as readonly TypeOf<typeof queryList>[]; // Nodes answer in one shape.
    const own = matching.slice(0, end).map((query) => queries.listed(query, caller.locale));
    const named = own.map((shown) => ({ ...shown, node: nodes.own.name }));
    const all = [named, ...others.map((other) => other.queries)].flat();
    return {
      total_count: others.reduce((sum, { total_count }) => sum + total_count, matching.length),
      queries: all.sort((one, other) => other.start_time - one.start_time || other.id - one.id).slice(offset, end),
      ...namesOfUnanswered(silent),
    };
  },
});

/** As the record tells it. */
const startOf = ({ times }: LiveQuery): number => (times.begun ?? times.accepted).epochMilliseconds;
