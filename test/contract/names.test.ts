// The form in which names are checked, compared and kept.

import { describe, expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { outcome, refused, serviceFor } from '#test/support/suites.ts';

const COMPANIES = '/api/core/companies';
const QUERIES = '/api/core/scheduled-queries';
const DECOMPOSED = 'e\u0301 \u1112\u1161\u11ab';
const COMPOSED = '\u00e9 \ud55c';

describe('A name', () => {
  const subject = serviceFor();
  const { call } = subject;

  it('is kept without the blanks around it and in one form of Unicode', async () => {
    const guid = await created(subject, COMPANIES, { name: `  ${DECOMPOSED}\t`, description: ` ${DECOMPOSED} ` });
    const { company } = (await call('GET', `${COMPANIES}/${guid}`)).json;
    expect([company.name, company.description]).toEqual([COMPOSED, ` ${DECOMPOSED} `]);
  });

  it('is compared in that form', async () => {
    for (const name of [DECOMPOSED, COMPOSED, ` ${COMPOSED}`]) {
      const answer = await call('POST', COMPANIES, { json: { name } });
      expect(outcome(answer)).toEqual(refused(500, 'illegal-state', `duplicated name: ${COMPOSED}`));
    }
  });

  it('is as long as it is then', async () => {
    const name = ` ${'\u1112\u1161\u11ab'.repeat(200)} `;
    expect((await call('POST', COMPANIES, { json: { name } })).status).toBe(200);
    const longer = await call('POST', COMPANIES, { json: { name: `${name.trim()}x` } });
    expect(outcome(longer)).toEqual(
      refused(400, 'invalid-argument', "'name' must be shorter than or equal to 200 characters."),
    );
  });

  it('of blanks alone is missing', async () => {
    const missing = refused(400, 'null-argument', 'name should be not null');
    expect(outcome(await call('POST', COMPANIES, { form: { name: ' \t\u3000' } }))).toEqual(missing);
  });

  it('of Update Scheduled Query is as long as it was sent, and kept without its blanks', async () => {
    const fields = { query: 'json "{}"', trigger_type: 'cron', cron_schedule: '0 * * * *' };
    const guid = await created(subject, QUERIES, { name: ' padded ', ...fields });
    const update = (name: string) => call('PUT', `${QUERIES}/${guid}`, { json: { name, ...fields } });
    const nameOf = async () => (await call('GET', `${QUERIES}/${guid}`)).json.scheduled_query.name;
    expect(await nameOf()).toBe('padded');
    expect(outcome(await update(` ${'n'.repeat(255)}`))).toEqual(
      refused(400, 'invalid-argument', "'name' must be shorter than or equal to 255 characters."),
    );
    expect(outcome(await update('  '))).toEqual(refused(400, 'null-argument', 'name should be not null'));
    expect((await update(` ${'n'.repeat(253)} `)).status).toBe(200);
    expect(await nameOf()).toBe('n'.repeat(253));
  });

  it('in an audit entry is the one that was kept', async () => {
    const entries = await entriesOf(subject, () => call('POST', COMPANIES, { form: { name: ' audited ' } }));
    expect(entries).toMatchObject([{ params: { name: 'audited' } }]);
  });
});
