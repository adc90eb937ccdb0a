// Dialogs of a dashboard as a whole: made, renamed, shared, removed.

import { useAnswer } from '#console/client/answers.ts';
import { call } from '#console/client/call.ts';
import { useAccount } from '#console/client/session.ts';
import { FormDialog } from '#console/components/forms/form.tsx';
import type { FormField } from '#console/components/forms/form-field.ts';
import { ConfirmDialog } from '#console/components/overlays/confirm.tsx';
import { showToast } from '#console/components/overlays/toast.tsx';
import { Loading } from '#console/components/states.tsx';
import type { Labels } from '#console/labels/en.ts';
import { useLabels } from '#console/labels/labels.tsx';
import { isAtLeast } from '#contract/values.ts';
import { type Dashboard, EMPTY_LAYOUT } from './dashboard.ts';
import { changeDashboard, useDashboardRefresh } from './use-dashboards.ts';

interface NameDialogProps {
  /** Undefined for a new one. */
  readonly dashboard: Dashboard | undefined;
  onClose(): void;
  onSaved(guid: string): void;
}

export function NameDialog({ dashboard, onClose, onSaved }: NameDialogProps) {
  const { dashboards: labels, common } = useLabels();
  const refresh = useDashboardRefresh();
  return (
    <FormDialog
      title={dashboard ? labels.rename : labels.add}
      fields={[
        { kind: 'text', name: 'name', label: common.name, isRequired: true, maxLength: 255 },
        { kind: 'text', name: 'description', label: labels.description, maxLength: 2000 },
      ]}
      initial={{ name: dashboard?.name ?? '', description: dashboard?.description ?? '' }}
      onClose={onClose}
      onSubmit={async ({ name, description }) => {
        const fields = { name, ...(description === '' ? {} : { description }) };
        if (dashboard) await changeDashboard(dashboard, fields);
        const { guid } = dashboard ?? (await call('POST /api/core/dashboards', { ...fields, layout: EMPTY_LAYOUT }));
        showToast(labels.saved(name));
        await refresh();
        onSaved(guid);
      }}
    />
  );
}

interface DashboardDialogProps {
  readonly dashboard: Dashboard;
  onClose(): void;
}

interface Grant {
  readonly guid: string;
  readonly rights: string;
}

const grantsOf = (given: Dashboard['shared_users']): readonly Grant[] =>
  given.map(({ guid, read_only }) => ({ guid, rights: read_only ? 'read' : 'write' }));

const sentGrants = (grants: readonly Grant[]) =>
  grants.filter(({ guid }) => guid !== '').map(({ guid, rights }) => ({ guid, read_only: rights !== 'write' }));

/** Users are listed for administrators alone; others share with the groups that they are in. */
export function ShareDialog({ dashboard, onClose }: DashboardDialogProps) {
  const { dashboards: labels } = useLabels();
  const { role_name } = useAccount();
  const seesUsers = isAtLeast(role_name, 'ADMIN');
  const users = useAnswer('GET /api/core/users', {}, { isEnabled: seesUsers });
  const groups = useAnswer('GET /api/core/user-groups', {});
  const refresh = useDashboardRefresh();
  if (!groups.data || (seesUsers && !users.data)) return <Loading lines={1} />;
  const fields: readonly FormField<Shared>[] = [
    ...(seesUsers ? [grantField(labels, 'shared_users', users.data?.users ?? [])] : []),
    grantField(labels, 'shared_groups', groups.data.user_groups),
  ];
  return (
    <FormDialog
      title={labels.shareTitle(dashboard.name)}
      description={labels.shareText}
      isWide
      fields={fields}
      initial={{
        shared_users: grantsOf(dashboard.shared_users),
        shared_groups: grantsOf(dashboard.shared_groups),
      }}
      onClose={onClose}
      onSubmit={async ({ shared_users, shared_groups }) => {
        await changeDashboard(dashboard, {
          shared_users: sentGrants(shared_users),
          shared_groups: sentGrants(shared_groups),
        });
        showToast(labels.saved(dashboard.name));
        await refresh();
        onClose();
      }}
    />
  );
}

interface Shared {
  readonly shared_users: readonly Grant[];
  readonly shared_groups: readonly Grant[];
}

interface Holder {
  readonly guid: string;
  readonly name: string;
}

const grantField = (labels: Labels['dashboards'], name: keyof Shared, holders: readonly Holder[]) =>
  ({
    kind: 'rows',
    name,
    label: labels[name],
    addLabel: labels.addGrant[name],
    empty: { guid: '', rights: 'read' },
    fields: [
      {
        kind: 'choice',
        name: 'guid',
        label: labels.holder[name],
        isRequired: true,
        options: holders.map(({ guid, name: label }) => ({ value: guid, label })),
      },
      {
        kind: 'choice',
        name: 'rights',
        label: labels.rights,
        options: [
          { value: 'read', label: labels.mayRead },
          { value: 'write', label: labels.mayWrite },
        ],
      },
    ],
  }) as const;

export function RemoveDialog({ dashboard, onClose, onRemoved }: DashboardDialogProps & { onRemoved(): void }) {
  const { dashboards: labels } = useLabels();
  const refresh = useDashboardRefresh();
  return (
    <ConfirmDialog
      title={labels.removeTitle(dashboard.name)}
      text={labels.removeText(dashboard.layout.panels.length)}
      onClose={onClose}
      onConfirm={async () => {
        await call('DELETE /api/core/dashboards', { guids: [dashboard.guid] });
        showToast(labels.removed(dashboard.name));
        onClose();
        onRemoved();
        await refresh();
      }}
    />
  );
}
