// What is done with an account beside its fields: its keys, locking it, new keys for it.

import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAnswer } from '#console/client/answers.ts';
import { call } from '#console/client/call.ts';
import { useAccount } from '#console/client/session.ts';
import { Button } from '#console/components/button.tsx';
import { ConfirmDialog } from '#console/components/overlays/confirm.tsx';
import { showToast } from '#console/components/overlays/toast.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import styles from '#console/pages/administration/administration.module.css';
import { ChildList } from '#console/pages/administration/view/child-list.tsx';
import { SecretDialog } from '#console/pages/administration/view/secret-dialog.tsx';
import { isAtLeast } from '#contract/values.ts';
import { keys } from './keys.tsx';
import { mayChangeUser, type User } from './user.ts';

interface UserProps {
  readonly record: User;
}

/** What belongs to the account: its groups and its keys. */
export function UserParts({ record }: UserProps) {
  const { administration } = useLabels();
  const account = useAccount();
  const { data } = useAnswer('GET /api/core/user-groups', {});
  const groups = data?.user_groups.filter(({ guid }) => record.user_group_guids.includes(guid)) ?? [];
  return (
    <>
      {groups.length > 0 && (
        <section className={styles.children} aria-label={administration.users.groups}>
          <h3>{administration.users.groups}</h3>
          <ul>
            {groups.map(({ guid, name }) => (
              <li key={guid}>
                <Link to="/administration" search={{ family: 'groups', record: guid }}>
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      {/* The keys of a MASTER are for a MASTER. */}
      {mayChangeUser(record, account) && <ChildList family={keys} scope={record.guid} />}
    </>
  );
}

export function UserActions({ record }: UserProps) {
  const { administration } = useLabels();
  const { users: labels, keys: keyLabels } = administration;
  const account = useAccount();
  const client = useQueryClient();
  const [asked, setAsked] = useState<'lock' | 'reset'>();
  const [secret, setSecret] = useState<string>();
  const isOther = record.guid !== account.guid;
  if (!isOther || !isAtLeast(account.role_name, 'ADMIN') || !mayChangeUser(record, account)) return undefined;
  const close = () => setAsked(undefined);
  async function lock() {
    await revokeKeys(record.guid);
    await client.invalidateQueries();
    showToast(labels.locked(record.name));
    close();
  }
  async function reset() {
    await revokeKeys(record.guid);
    const { api_key } = await call('POST /api/core/users/:guid/api-keys', {
      guid: record.guid,
      name: labels.resetName,
    });
    await client.invalidateQueries();
    close();
    setSecret(api_key);
  }
  return (
    <>
      <Button size="small" icon="stop" disabled={!record.has_api_key} onClick={() => setAsked('lock')}>
        {labels.lock}
      </Button>
      <Button size="small" icon="refresh" onClick={() => setAsked('reset')}>
        {labels.reset}
      </Button>
      {asked === 'lock' && (
        <ConfirmDialog
          title={labels.lockTitle(record.name)}
          text={labels.lockText}
          confirmLabel={labels.lock}
          onConfirm={lock}
          onClose={close}
        />
      )}
      {asked === 'reset' && (
        <ConfirmDialog
          title={labels.resetTitle(record.name)}
          text={labels.resetText}
          confirmLabel={keyLabels.revoke}
          onConfirm={reset}
          onClose={close}
        />
      )}
      {secret !== undefined && <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}

async function revokeKeys(guid: string): Promise<void> {
  const { api_keys } = await call('GET /api/core/users/:guid/api-keys', { guid });
  for (const { guid: key_guid } of api_keys) {
    await call('DELETE /api/core/users/:guid/api-keys/:key_guid', { guid, key_guid });
  }
}
