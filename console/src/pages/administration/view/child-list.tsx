// Records that belong to another one, in its panel: keys of a user, addresses of a group. A row opens in place.

import { useState } from 'react';
import { Aged } from '#console/components/aged.tsx';
import { Button } from '#console/components/button.tsx';
import { DataTable } from '#console/components/data-table.tsx';
import { Fact, Facts } from '#console/components/record-panel.tsx';
import { Failed, Loading } from '#console/components/states.tsx';
import styles from '#console/pages/administration/administration.module.css';
import type { AnyFamily, AnyRecord } from '#console/pages/administration/family.ts';
import { mayWrite, useFamilyContext } from '#console/pages/administration/use-context.ts';
import { RecordForm } from './record-form.tsx';
import { columnsOf } from './record-list.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { type Records, useRecords } from './use-records.ts';

interface ChildListProps {
  readonly family: AnyFamily;
  /** The key of the record that they belong to. */
  readonly scope: string;
}

const COLUMNS = 3;

export function ChildList({ family, scope }: ChildListProps) {
  const context = useFamilyContext();
  const { administration } = context.labels;
  const list = useRecords(family, scope, undefined);
  const [isMaking, setMaking] = useState(false);
  const [secret, setSecret] = useState<string>();
  const [removing, setRemoving] = useState<AnyRecord>();
  const { many, one } = administration.families[family.id];
  return (
    <section className={styles.children} aria-label={many}>
      <header>
        <h3>{many}</h3>
        {mayWrite(family, context) && (
          <Button size="small" icon="plus" onClick={() => setMaking(true)}>
            {administration.create(one)}
          </Button>
        )}
      </header>
      <Rows {...{ family, list }} onRemove={setRemoving} />
      {isMaking && (
        <RecordForm
          {...{ family, scope }}
          record={undefined}
          onDone={(made) => {
            setMaking(false);
            setSecret(made?.secret);
          }}
          onClose={() => setMaking(false)}
        />
      )}
      {removing && (
        <RemoveDialog
          {...{ family, scope }}
          records={[removing]}
          onDone={() => setRemoving(undefined)}
          onClose={() => setRemoving(undefined)}
        />
      )}
      {secret !== undefined && <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </section>
  );
}

interface RowsProps {
  readonly family: AnyFamily;
  readonly list: Records;
  onRemove(record: AnyRecord): void;
}

function Rows({ family, list, onRemove }: RowsProps) {
  const context = useFamilyContext();
  const { administration, common } = context.labels;
  const [open, setOpen] = useState<string>();
  const { records, error } = list;
  if (!records) return error ? <Failed error={error} onRetry={list.refetch} /> : <Loading lines={2} />;
  if (records.length === 0) return <p className={styles.note}>{administration.emptyTitle}</p>;
  const values = family.values(context);
  return (
    <Aged answers={[list.answer]}>
      <DataTable
        label={administration.families[family.id].many}
        rows={records}
        rowKey={(record) => family.keyOf(record)}
        columns={columnsOf(values).slice(0, COLUMNS)}
        openKey={open}
        maxHeight="22rem"
        onEnd={list.readMore}
        onOpen={(record) => setOpen((before) => (before === family.keyOf(record) ? undefined : family.keyOf(record)))}
        detail={(record) =>
          open === family.keyOf(record) ? (
            <div className={styles.child}>
              <Facts>
                {values.map(({ id, label, show }) => (
                  <Fact key={id} name={label}>
                    {show(record)}
                  </Fact>
                ))}
              </Facts>
              {mayWrite(family, context) && (
                <Button size="small" icon="trash" onClick={() => onRemove(record)}>
                  {common.delete}
                </Button>
              )}
            </div>
          ) : undefined
        }
      />
    </Aged>
  );
}
