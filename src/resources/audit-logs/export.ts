// GET /audit-logs/export

import type { AuditSearch, ChainedEntry } from '#audit/search/search.ts';
import type { Trail } from '#audit/trail.ts';
import { localeOf } from '#contract/labels/catalogue.ts';
import type { Locale } from '#contract/values.ts';
import { guidText, lines, optional, record, string } from '#operations/answers/shapes.ts';
import { Answer, type Call, endpoint } from '#operations/endpoint.ts';
import { entryFields, filterOf, filters, toRecord } from './model.ts';

const NDJSON = 'application/x-ndjson';

export const exportLogs = endpoint({
  title: 'Export audit logs',
  notes:
    'One entry per line, oldest first, with its place in the hash chain; `company_guid` is part of the hashed ' +
    'text. The entry of the export itself is not in it.',
  method: 'GET',
  path: '/api/core/audit-logs/export',
  access: 'MASTER',
  audit: 'audit-logs.export',
  params: filters,
  answer: lines(
    record({
      ...entryFields,
      company_guid: optional(guidText('GUID of the company of the account; absent where the account is not known.')),
      prev_hash: string('Hash of the entry before this one.', '9f86d081884c7d65'),
      hash: string('Hash of this entry, over its content and `prev_hash`.', '60303ae22b998861'),
    }),
  ),
  answerType: NDJSON,

  async run(input, { caller, auditSearch, trail }: Call & { auditSearch: AuditSearch; trail: Trail }) {
    const locale = input.locale === undefined ? caller.locale : localeOf(input.locale);
    const { id } = await trail.newest();
    const entries = auditSearch.walk(filterOf(input), id);
    return new Answer<never>(linesOf(entries, locale), { headers: { 'content-type': NDJSON } });
  },
});

async function* linesOf(entries: AsyncIterable<ChainedEntry>, locale: Locale): AsyncGenerator<string> {
  for await (const { entry, previous } of entries) {
    const { company_guid, hash } = entry;
    const company = company_guid === undefined ? {} : { company_guid };
    yield `${JSON.stringify({ ...toRecord(entry, locale), ...company, prev_hash: previous, hash })}\n`;
  }
}
