// The audited operations of uploads.

import { type AuditedCall, type Caller, mark, type Target } from './audited-call.ts';
import { table } from './audited-object-calls.ts';
import { opened, STREAMS } from './uploads.ts';

const uploadTable = async (service: Caller): Promise<Target> => {
  const { name: within } = await table(service);
  return { key: '', name: `f_${mark()}`, within };
};
const metadataOf = (within = '') => JSON.stringify({ table: within });
const upload = async (service: Caller, file_size = 1): Promise<Target> => {
  const { name, within = '' } = await uploadTable(service);
  const key = await opened(service, { file_name: name, file_size, metadata: { table: within } });
  return { key, name, within };
};

export const uploadCalls: readonly AuditedCall[] = [
  {
    operation: `POST ${STREAMS}`,
    keyAs: 'token',
    kind: 'made',
    target: uploadTable,
    path: () => STREAMS,
    form: ({ name, within }) => ({ file_name: name, file_size: '1', metadata: metadataOf(within) }),
    wrong: {},
    also: ({ within }) => ({ table: within }),
  },
  {
    operation: `DELETE ${STREAMS}`,
    keyAs: 'token',
    kind: 'several',
    target: (service) => upload(service),
    path: () => STREAMS,
    form: ({ key }) => ({ tokens: `${key},00000000-0000-4000-8000-000000000000` }),
    wrong: {},
  },
  {
    operation: `DELETE ${STREAMS}/:token`,
    keyAs: 'token',
    kind: 'changed',
    target: (service) => upload(service),
    path: ({ key }) => `${STREAMS}/${key}`,
    also: ({ name, within }) => ({ file_name: name, table: within }),
    isByToken: true,
  },
  {
    operation: `POST ${STREAMS}/:token/complete`,
    keyAs: 'token',
    kind: 'changed',
    target: (service) => upload(service, 0),
    path: ({ key }) => `${STREAMS}/${key}/complete`,
    also: ({ name, within }) => ({ file_name: name, table: within, accepted: 0, rejected_count: 0 }),
    isByToken: true,
  },
];
