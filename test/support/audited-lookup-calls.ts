// The audited operations of parsers, and of rows of lookups.

import { created } from './accounts.ts';
import { type AuditedCall, type Caller, CORE, mark, type Target } from './audited-call.ts';

const PARSERS = `${CORE}/parsers`;
const parserForm = { factory_name: 'regex', configs: '{"pattern":"(?<a>x)"}' };
async function parser(service: Caller): Promise<Target> {
  const code = `c_${mark()}`;
  const name = `p_${mark()}`;
  await service.call('POST', PARSERS, { form: { code, name, ...parserForm } });
  return { key: code, name };
}

export const parserCalls: readonly AuditedCall[] = [
  {
    operation: `POST ${PARSERS}`,
    keyAs: 'code',
    kind: 'made',
    target: async () => ({ key: '', name: `p_${mark()}` }),
    path: () => PARSERS,
    form: ({ name }) => ({ code: name, name, ...parserForm }),
    wrong: {},
  },
  {
    operation: `PUT ${PARSERS}/:code`,
    keyAs: 'code',
    kind: 'changed',
    target: parser,
    path: ({ key }) => `${PARSERS}/${key}`,
    form: ({ name }) => ({ name: `${name}2`, ...parserForm }),
    wrong: {},
    also: ({ name }) => ({ new_name: `${name}2` }),
  },
  {
    operation: `DELETE ${PARSERS}`,
    keyAs: 'code',
    kind: 'several',
    target: parser,
    path: () => PARSERS,
    form: ({ key }) => ({ codes: `${key},00000000-0000-4000-8000-000000000000` }),
    wrong: {},
  },
];

export const lookupCalls: readonly AuditedCall[] = [
  {
    operation: `PUT ${CORE}/lookups/:guid/rows`,
    keyAs: 'guid',
    kind: 'changed',
    async target(service) {
      const name = `l_${mark()}`;
      return { key: await created(service, `${CORE}/lookups`, { name, key: 'a', columns: 'a' }), name };
    },
    path: ({ key }) => `${CORE}/lookups/${key}/rows`,
    body: { type: 'text/csv', text: 'a\n1\n' },
    also: () => ({ row_count: 1, version: 1 }),
  },
];
