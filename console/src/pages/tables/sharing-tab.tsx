// The accounts and groups that a table is granted to. An administrator sees every table without a grant.

import { useState } from 'react';
import { useAccount } from '#console/client/session.ts';
import { StatusBadge } from '#console/components/badge.tsx';
import { Button } from '#console/components/button.tsx';
import { EmptyState } from '#console/components/states.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { isAtLeast } from '#contract/values.ts';
import { EditSharing } from './edit-sharing.tsx';
import styles from './tables.module.css';
import type { TableRecord } from './tables-search.ts';
import { useTableRefresh } from './use-table-refresh.ts';

export function SharingTab({ table }: { readonly table: TableRecord }) {
  const { tables: labels } = useLabels();
  const { role_name } = useAccount();
  const refresh = useTableRefresh();
  const [isEditing, setEditing] = useState(false);
  const { shared_groups: groups, shared_users: users } = table;
  return (
    <div className={styles.tab}>
      {groups.length + users.length === 0 && (
        <EmptyState icon="users" title={labels.notShared} text={labels.notSharedText} />
      )}
      <Grants title={labels.groups} grants={groups} />
      <Grants title={labels.users} grants={users} />
      {isAtLeast(role_name, 'ADMIN') && (
        <div className={styles.buttons}>
          <Button size="small" icon="edit" onClick={() => setEditing(true)}>
            {labels.editSharing}
          </Button>
        </div>
      )}
      <p className={styles.note}>{labels.sharingNote}</p>
      {isEditing && (
        <EditSharing
          table={table}
          onClose={() => setEditing(false)}
          onDone={() => {
            setEditing(false);
            refresh();
          }}
        />
      )}
    </div>
  );
}

function Grants({ title, grants }: { readonly title: string; readonly grants: TableRecord['shared_users'] }) {
  const { tables: labels } = useLabels();
  if (grants.length === 0) return undefined;
  return (
    <section>
      <h3>{title}</h3>
      <ul className={styles.grants}>
        {grants.map(({ guid, name, read_only }) => (
          <li key={guid}>
            <span className={styles.holder}>{name ?? guid}</span>
            <StatusBadge tone={read_only ? 'neutral' : 'accent'}>
              {read_only ? labels.rights.read : labels.rights.write}
            </StatusBadge>
          </li>
        ))}
      </ul>
    </section>
  );
}
