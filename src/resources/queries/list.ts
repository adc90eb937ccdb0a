// GET /queries

import { described } from '#http/described.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { anyText, flag, keywords, oneOf, paging } from '#http/params.ts';
import { listOf } from '#http/shapes.ts';
import { searchKeyword, searchText } from '#kernel/search-text.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import { QUERY_SOURCES } from '#queries/sources.ts';
import type { Nodes } from '#store/nodes.ts';
import { queryRecord } from './model.ts';

export const list = endpoint({
  title: 'List queries',
  notes: 'The newest first. A MEMBER sees its own; `keywords` is contained in the text, `login_name` is equal.',
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
  answer: listOf('queries', queryRecord),

  async run(input, { queries, nodes, caller }: Call & { queries: LiveQueries; nodes: Nodes }) {
    const { offset, limit, keywords, login_name, source, is_finished } = input;
    const matching = queries
      .visible(caller)
      .filter(({ request }) => keywords === undefined || searchText([request.text]).includes(searchKeyword(keywords)))
      .filter(({ request }) => login_name === undefined || request.caller.login === login_name)
      .filter(({ request }) => source === undefined || request.source === source)
      .filter(({ isFinished }) => is_finished === undefined || isFinished === is_finished);
    const page = matching.slice(offset, offset + limit);
    const listed = page.map((query) => ({ ...queries.listed(query, caller.locale), node: nodes.own.name }));
    return { total_count: matching.length, queries: listed };
  },
});
