// Grants of a table: groups and accounts, each with a right.

import { useAnswer } from '#console/client/answers.ts';
import { call } from '#console/client/call.ts';
import { FormDialog } from '#console/components/forms/form.tsx';
import type { FormField } from '#console/components/forms/form-field.ts';
import { showToast } from '#console/components/overlays/toast.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import type { TableRecord } from './tables-search.ts';

interface EditSharingProps {
  readonly table: TableRecord;
  onClose(): void;
  onDone(): void;
}

interface Grant {
  readonly guid: string;
  readonly right: string;
}

interface Draft {
  readonly shared_groups: readonly Grant[];
  readonly shared_users: readonly Grant[];
}

interface Holder {
  readonly guid: string;
  readonly name: string;
}

const MAX_HOLDERS = 10_000;

export function EditSharing({ table, onClose, onDone }: EditSharingProps) {
  const { tables: labels } = useLabels();
  const groups = useAnswer('GET /api/core/user-groups', { limit: MAX_HOLDERS });
  const users = useAnswer('GET /api/core/users', { limit: MAX_HOLDERS });
  if (!groups.data || !users.data) return undefined;
  const rightField: FormField<Grant> = {
    kind: 'choice',
    name: 'right',
    label: labels.right,
    options: [
      { value: 'read', label: labels.rights.read },
      { value: 'write', label: labels.rights.write },
    ],
  };
  const rowsOf = (label: string, holders: readonly Holder[]): readonly FormField<Grant>[] => [
    { kind: 'choice', name: 'guid', label, options: holders.map(({ guid, name }) => ({ value: guid, label: name })) },
    rightField,
  ];
  return (
    <FormDialog<Draft>
      title={labels.editSharing}
      description={labels.sharingNote}
      fields={[
        {
          kind: 'rows',
          name: 'shared_groups',
          label: labels.groups,
          fields: rowsOf(labels.groupHolder, groups.data.user_groups),
          empty: { guid: groups.data.user_groups[0]?.guid ?? '', right: 'read' },
          addLabel: labels.addGroup,
        },
        {
          kind: 'rows',
          name: 'shared_users',
          label: labels.users,
          fields: rowsOf(labels.userHolder, users.data.users),
          empty: { guid: users.data.users[0]?.guid ?? '', right: 'read' },
          addLabel: labels.addUser,
        },
      ]}
      initial={{ shared_groups: grantsOf(table.shared_groups), shared_users: grantsOf(table.shared_users) }}
      onClose={onClose}
      onSubmit={async (draft) => {
        await call('PUT /api/core/tables/:table', {
          table: table.table_name,
          shared_groups: sentOf(draft.shared_groups),
          shared_users: sentOf(draft.shared_users),
        });
        showToast(labels.sharingSet);
        onDone();
      }}
    />
  );
}

const grantsOf = (grants: TableRecord['shared_users']): readonly Grant[] =>
  grants.map(({ guid, read_only }) => ({ guid, right: read_only ? 'read' : 'write' }));

const sentOf = (grants: readonly Grant[]) =>
  grants.filter(({ guid }) => guid !== '').map(({ guid, right }) => ({ guid, read_only: right === 'read' }));
