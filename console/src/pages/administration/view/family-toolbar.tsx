// Above the list: search, which list, how many, and what can be done.

import { useRef } from 'react';
import { Button } from '#console/components/button.tsx';
import { KeywordsField } from '#console/components/forms/keywords-field.tsx';
import { Select } from '#console/components/forms/select.tsx';
import styles from '#console/pages/administration/administration.module.css';
import type { AnyFamily, Scopes } from '#console/pages/administration/family.ts';
import { useChange, useSearch } from '#console/pages/administration/use-change.ts';
import { mayWrite, useFamilyContext } from '#console/pages/administration/use-context.ts';
import { useShortcut } from '#console/shell/shortcuts.tsx';
import { numberText } from '#console/time/numbers.ts';
import type { Records } from './use-records.ts';

interface FamilyToolbarProps {
  readonly family: AnyFamily;
  readonly list: Records;
  readonly scopes: Scopes | undefined;
  readonly scope: string;
  /** How many records are chosen for removal. */
  readonly chosen: number;
  onRemove(): void;
}

export function FamilyToolbar({ family, list, scopes, scope, chosen, onRemove }: FamilyToolbarProps) {
  const context = useFamilyContext();
  const { administration: labels, common, table, roles } = context.labels;
  const { keywords = '', dialog } = useSearch();
  const change = useChange();
  const field = useRef<HTMLInputElement>(null);
  const { one } = labels.families[family.id];
  const isCreated = family.create !== undefined && mayWrite(family, context);
  useShortcut('/', labels.keywords, () => field.current?.focus(), 'page');
  useShortcut('r', common.refresh, list.refetch, 'page');
  useShortcut('n', labels.create(one), () => isCreated && change({ dialog: 'new' }), 'page');
  return (
    <>
      <div className={styles.toolbar}>
        <KeywordsField
          ref={field}
          label={labels.keywords}
          value={keywords}
          onChange={(typed) => change({ keywords: typed, record: undefined })}
        />
        {scopes && scopes.options.length > 1 && (
          <Select
            label={scopes.label}
            value={scope}
            options={scopes.options}
            onChange={(of) => change({ of, record: undefined })}
          />
        )}
        <span className={styles.count} aria-live="polite">
          {list.records && table.rows(numberText(list.total, context.locale))}
        </span>
        {chosen > 0 && (
          <Button kind="danger" icon="trash" onClick={onRemove}>
            {labels.remove(chosen)}
          </Button>
        )}
        {isCreated && (
          <Button kind="primary" icon="plus" onClick={() => change({ dialog: 'new' })}>
            {labels.create(one)}
          </Button>
        )}
      </div>
      {dialog === 'new' && !isCreated && (
        <p className={styles.mayNot} role="alert">
          {labels.mayNot(roles[family.writers], roles[context.account.role_name])}
        </p>
      )}
    </>
  );
}
