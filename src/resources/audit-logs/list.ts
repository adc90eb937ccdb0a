// GET /audit-logs: operation 9 of the contract.

import type { AuditSearch } from '#audit/search/search.ts';
import { allActions, allCategories, localeOf } from '#contract/labels/catalogue.ts';
import { arrayOf, int64, record, string } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { long, orElse } from '#operations/params/params.ts';
import { entryRecord, filterOf, filters, toRecord } from './model.ts';

export const list = endpoint({
  title: 'Get audit logs',
  notes:
    'Newest first. Several keywords must all match; the values of any other filter are alternatives. `to` ' +
    'includes the whole of its second.\n\n' +
    'Keywords are searched in all stored fields, id and creation time included, and in labels, messages and ' +
    'results of both languages. The code of a category is the module, the code of an action is the method or ' +
    '`module.method`. A read refused for lack of permission is an entry with the method `read` of its module. ' +
    '`msg_params.request_id` is the id of the request; error texts are cut at 2,000 characters.\n\n' +
    'Pushing logs and sending upload bytes leave no entries. Unknown upload tokens, foreign queries and failed ' +
    'keys are counted in one entry per address and minute.',
  method: 'GET',
  path: '/api/core/audit-logs',
  access: 'MASTER',
  params: {
    offset: orElse(long, 0, 'Number of matches before the page.'),
    limit: orElse(long, 1000, 'Largest number of matches on the page.'),
    ...filters,
  },
  answer: record({
    audit_logs: arrayOf(entryRecord)('The matches on this page, newest first.'),
    total: int64('Number of matches on all pages.'),
    categories: arrayOf(string)('Labels of all categories.', ['User']),
    actions: arrayOf(string)('Labels of all actions.', ['Create user']),
  }),

  async run(input, { caller, auditSearch }: Call & { auditSearch: AuditSearch }) {
    const locale = input.locale === undefined ? caller.locale : localeOf(input.locale);
    const { total, entries } = await auditSearch.find(filterOf(input), input);
    return {
      audit_logs: entries.map((entry) => toRecord(entry, locale)),
      total,
      categories: allCategories(locale),
      actions: allActions(locale),
    };
  },
});
