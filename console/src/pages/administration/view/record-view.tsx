// The panel of one record: its values, what can be done with it, and what belongs to it.

import { Button } from '#console/components/button.tsx';
import { Fact, Facts, RecordPanel } from '#console/components/record-panel.tsx';
import { EmptyState, Failed, Loading } from '#console/components/states.tsx';
import styles from '#console/pages/administration/administration.module.css';
import type { AnyFamily, AnyRecord } from '#console/pages/administration/family.ts';
import { useChange, useSearch } from '#console/pages/administration/use-change.ts';
import { mayChange, mayWrite, useFamilyContext } from '#console/pages/administration/use-context.ts';
import { RecordForm } from './record-form.tsx';
import { useRecord } from './use-records.ts';

interface RecordViewProps {
  readonly family: AnyFamily;
  readonly scope: string;
  readonly recordKey: string;
  readonly listed: readonly AnyRecord[] | undefined;
  onRemove(record: AnyRecord): void;
}

export function RecordView({ family, scope, recordKey, listed, onRemove }: RecordViewProps) {
  const { labels } = useFamilyContext();
  const { administration } = labels;
  const change = useChange();
  const { record, error } = useRecord(family, recordKey, listed);
  const { one } = administration.families[family.id];
  const close = () => change({ record: undefined, dialog: undefined });
  if (record) return <Whole {...{ family, scope, record, onRemove }} onClose={close} />;
  return (
    <RecordPanel title={one} onClose={close}>
      {record === null ? (
        <EmptyState icon="list" title={administration.gone} />
      ) : error ? (
        <Failed error={error} />
      ) : (
        <Loading />
      )}
    </RecordPanel>
  );
}

interface WholeProps extends Pick<RecordViewProps, 'family' | 'scope' | 'onRemove'> {
  readonly record: AnyRecord;
  onClose(): void;
}

function Whole({ family, scope, record, onRemove, onClose }: WholeProps) {
  const context = useFamilyContext();
  const { administration } = context.labels;
  const { dialog } = useSearch();
  const change = useChange();
  const { Below, content } = family;
  const closeDialog = () => change({ dialog: undefined });
  const isChanged = dialog === 'change' && family.update !== undefined;
  const mayBeChanged = mayChange(family, record, context);
  return (
    <RecordPanel
      title={administration.families[family.id].one}
      headline={family.nameOf(record)}
      actions={<Actions {...{ family, record }} onRemove={() => onRemove(record)} />}
      onClose={onClose}
    >
      {isChanged && !mayBeChanged && <MayNot family={family} />}
      <Facts>
        {[...family.values(context), ...(family.facts?.(context) ?? [])].map(({ id, label, show }) => {
          const value = show(record);
          return (
            !isAbsent(value) && (
              <Fact key={id} name={label}>
                {value}
              </Fact>
            )
          );
        })}
      </Facts>
      {Below && <Below record={record} />}
      {isChanged && mayBeChanged && (
        <RecordForm {...{ family, scope, record }} onDone={closeDialog} onClose={closeDialog} />
      )}
      {dialog === 'content' && content && <content.View record={record} onClose={closeDialog} />}
    </RecordPanel>
  );
}

/** An absent value has no line. */
const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === false || value === '';

interface ActionsProps {
  readonly family: AnyFamily;
  readonly record: AnyRecord;
  onRemove(): void;
}

function Actions({ family, record, onRemove }: ActionsProps) {
  const context = useFamilyContext();
  const { administration, common } = context.labels;
  const change = useChange();
  const { Actions: Further, content } = family;
  const isChanged = mayChange(family, record, context);
  return (
    <>
      {content && (
        <Button size="small" icon="list" onClick={() => change({ dialog: 'content' })}>
          {content.label(context.labels)}
        </Button>
      )}
      {isChanged && family.update && (
        <Button size="small" icon="edit" onClick={() => change({ dialog: 'change' })}>
          {administration.change}
        </Button>
      )}
      {isChanged && family.remove && (
        <Button size="small" icon="trash" onClick={onRemove}>
          {common.delete}
        </Button>
      )}
      {Further && <Further record={record} />}
    </>
  );
}

function MayNot({ family }: { readonly family: AnyFamily }) {
  const context = useFamilyContext();
  const { administration, roles } = context.labels;
  return (
    <p className={styles.mayNot} role="alert">
      {mayWrite(family, context)
        ? administration.mayNotChange
        : administration.mayNot(roles[family.writers], roles[context.account.role_name])}
    </p>
  );
}
