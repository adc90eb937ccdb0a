// GET /audit-logs: operation 9 of the contract.

import type { AuditSearch } from '#audit/search.ts';
import { allActions, allCategories, localeOf } from '#contract/labels/catalogue.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { long, orElse } from '#http/params.ts';
import { arrayOf, int64, object, string } from '#http/shapes.ts';
import { entryRecord, filterOf, filters, toRecord } from './model.ts';

export const list = endpoint({
  title: 'Get audit logs',
  notes: 'Newest first. Several keywords must all match; the values of any other filter are alternatives.',
  method: 'GET',
  path: '/api/core/audit-logs',
  access: 'MASTER',
  params: { offset: orElse(long, 0), limit: orElse(long, 1000), ...filters },
  answer: object({
    audit_logs: arrayOf(entryRecord),
    total: int64,
    categories: arrayOf(string),
    actions: arrayOf(string),
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
