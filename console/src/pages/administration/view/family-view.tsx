// One family: its list with search, the open record, its form and its removal, derived from the declaration.

import { useState } from 'react';
import { RecordColumns } from '#console/components/record-panel.tsx';
import styles from '#console/pages/administration/administration.module.css';
import type { AnyFamily, AnyRecord, Made } from '#console/pages/administration/family.ts';
import { useOptions } from '#console/pages/administration/options.ts';
import { useChange, useSearch } from '#console/pages/administration/use-change.ts';
import { mayChange, mayWrite, useFamilyContext } from '#console/pages/administration/use-context.ts';
import { useShortcut } from '#console/shell/shortcuts.tsx';
import { FamilyToolbar } from './family-toolbar.tsx';
import { RecordForm } from './record-form.tsx';
import { RecordList } from './record-list.tsx';
import { RecordView } from './record-view.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { useRecords } from './use-records.ts';

export function FamilyView({ family }: { readonly family: AnyFamily }) {
  const context = useFamilyContext();
  const { administration: labels, common } = context.labels;
  const { keywords, record: openKey, dialog, of } = useSearch();
  const change = useChange();
  const options = useOptions(family.scopes ? (family.needs ?? []) : []);
  const scopes = family.scopes?.({ ...context, options });
  const scope = of ?? scopes?.initial ?? '';
  const list = useRecords(family, scope, keywords);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [removing, setRemoving] = useState<readonly AnyRecord[]>([]);
  const isWriter = mayWrite(family, context);
  const chosen =
    list.records?.filter((one) => selected.has(family.keyOf(one)) && mayChange(family, one, context)) ?? [];
  useShortcut('escape', common.close, () => change({ record: undefined }), 'page');
  return (
    <section className={styles.family} aria-label={labels.families[family.id].many}>
      <FamilyToolbar {...{ family, list, scopes, scope }} chosen={chosen.length} onRemove={() => setRemoving(chosen)} />
      <RecordColumns
        list={
          <RecordList
            {...{ family, list, openKey }}
            selection={isWriter && family.remove ? { keys: selected, onChange: setSelected } : undefined}
          />
        }
        record={
          openKey !== undefined && (
            <RecordView
              key={openKey}
              {...{ family, scope }}
              recordKey={openKey}
              listed={list.records}
              onRemove={(record) => setRemoving([record])}
            />
          )
        }
      />
      {dialog === 'new' && isWriter && <NewRecord family={family} scope={scope} />}
      {removing.length > 0 && (
        <RemoveDialog
          {...{ family, scope }}
          records={removing}
          onDone={() => {
            setRemoving([]);
            setSelected(new Set());
            change({ record: undefined });
          }}
          onClose={() => setRemoving([])}
        />
      )}
    </section>
  );
}

/** The form, and once the record is made what is shown once. */
function NewRecord({ family, scope }: { readonly family: AnyFamily; readonly scope: string }) {
  const change = useChange();
  const [made, setMade] = useState<Made>();
  const finish = (record: string | undefined) => change({ dialog: undefined, ...(record ? { record } : {}) });
  if (made?.secret !== undefined) return <SecretDialog secret={made.secret} onClose={() => finish(made.key)} />;
  return (
    <RecordForm
      {...{ family, scope }}
      record={undefined}
      onDone={(done) => (done?.secret === undefined ? finish(done?.key) : setMade(done))}
      onClose={() => finish(undefined)}
    />
  );
}
