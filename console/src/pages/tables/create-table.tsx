// A new table. How its files are stored is decided here once; the rest can be changed later.

import { useAnswer } from '#console/client/answers.ts';
import { call } from '#console/client/call.ts';
import { present } from '#console/client/present.ts';
import { useAccount } from '#console/client/session.ts';
import { FormDialog } from '#console/components/forms/form.tsx';
import type { FormField, Option } from '#console/components/forms/form-field.ts';
import { showToast } from '#console/components/overlays/toast.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { isAtLeast } from '#contract/values.ts';
import type { TableSummary } from './tables-search.ts';
import { type TableFieldValues, useTableFields } from './use-table-fields.ts';

interface CreateTableProps {
  readonly tables: readonly TableSummary[];
  onClose(): void;
  onDone(name: string): void;
}

interface Draft extends TableFieldValues {
  readonly table: string;
  readonly retention: number | undefined;
  readonly layout: string;
  readonly compression: string;
  readonly crypto_profile_guid: string;
  readonly encryption: boolean;
}

const EMPTY: Draft = {
  table: '',
  retention: 0,
  layout: 'columnar',
  compression: 'snappy',
  crypto_profile_guid: '',
  encryption: false,
  group_guid: '',
  schema_code: '',
  expect_every: 0,
  alarm_group_guid: '',
};

export function CreateTable({ tables, onClose, onDone }: CreateTableProps) {
  const { tables: labels } = useLabels();
  const profiles = useProfiles(tables);
  const shared = useTableFields();
  const stored = useStorageFields(profiles);
  if (!shared) return undefined;
  return (
    <FormDialog<Draft>
      title={labels.create}
      description={labels.createText}
      submitLabel={labels.create}
      // Fields of a part of the draft look at that part alone.
      fields={[...stored, ...(shared as unknown as readonly FormField<Draft>[])]}
      initial={EMPTY}
      onClose={onClose}
      onSubmit={async ({ layout, compression, encryption, ...draft }) => {
        const isKeyed = draft.crypto_profile_guid !== '';
        await call('POST /api/core/tables', {
          ...present({ ...draft }),
          table: draft.table,
          layout: layout === 'row' ? 'row' : 'columnar',
          compression: compression === 'deflate' ? 'deflate' : 'snappy',
          ...(isKeyed ? { encryption } : {}),
        });
        showToast(labels.created(draft.table));
        onDone(draft.table);
      }}
    />
  );
}

/** MASTER lists profiles; ADMIN knows those of the tables that it sees. */
function useProfiles(tables: readonly TableSummary[]): readonly Option[] {
  const { role_name } = useAccount();
  const isMaster = isAtLeast(role_name, 'MASTER');
  const { data } = useAnswer('GET /api/core/crypto-profiles', {}, { isEnabled: isMaster });
  if (isMaster) return data?.profiles.map(({ guid, name }) => ({ value: guid, label: name })) ?? [];
  const known = tables.flatMap(({ crypto_profile_guid: value, crypto_profile_name: label }) =>
    value === undefined || label === undefined ? [] : [[value, label] as const],
  );
  return [...new Map(known)].map(([value, label]) => ({ value, label }));
}

function useStorageFields(profiles: readonly Option[]): readonly FormField<Draft>[] {
  const { tables: labels } = useLabels();
  return [
    { kind: 'text', name: 'table', label: labels.name, hint: labels.nameHint, isRequired: true, maxLength: 50 },
    { kind: 'number', name: 'retention', label: labels.retentionDays, hint: labels.retentionHint, min: 0, max: 36_500 },
    {
      kind: 'choice',
      name: 'layout',
      label: labels.layout,
      options: (['columnar', 'row'] as const).map((value) => ({ value, label: labels.layouts[value] })),
    },
    {
      kind: 'choice',
      name: 'compression',
      label: labels.compression,
      options: (['snappy', 'deflate'] as const).map((value) => ({ value, label: labels.codecs[value] })),
    },
    {
      kind: 'choice',
      name: 'crypto_profile_guid',
      label: labels.profile,
      hint: labels.profileHint,
      options: profiles,
      noneLabel: labels.noKey,
      isShown: () => profiles.length > 0,
    },
    {
      kind: 'switch',
      name: 'encryption',
      label: labels.encrypt,
      hint: labels.encryptHint,
      isShown: ({ crypto_profile_guid }) => crypto_profile_guid !== '',
    },
  ];
}
