// The form of a new record, or of one that is changed.

import { useQueryClient } from '@tanstack/react-query';
import { FormDialog } from '#console/components/forms/form.tsx';
import { showToast } from '#console/components/overlays/toast.tsx';
import type { AnyFamily, AnyRecord, Made } from '#console/pages/administration/family.ts';
import { useOptions } from '#console/pages/administration/options.ts';
import { useFamilyContext } from '#console/pages/administration/use-context.ts';

interface RecordFormProps {
  readonly family: AnyFamily;
  readonly scope: string;
  /** Undefined for a new one. */
  readonly record: AnyRecord | undefined;
  onDone(made: Made | undefined): void;
  onClose(): void;
}

export function RecordForm({ family, scope, record, onDone, onClose }: RecordFormProps) {
  const context = useFamilyContext();
  const options = useOptions(family.needs ?? []);
  const client = useQueryClient();
  const { administration: labels } = context.labels;
  const { one, about } = labels.families[family.id];
  const { fields, draftOf, create, update, Trial } = family;
  if (!fields || !draftOf) return undefined;
  async function send(draft: AnyRecord) {
    const made = record ? await update?.(family.keyOf(record), draft) : await create?.(draft, scope);
    await client.invalidateQueries();
    if (record) {
      showToast(labels.changed(family.nameOf(record)));
      onDone(undefined);
    } else {
      showToast(labels.made(one));
      onDone(made as Made | undefined); // `create` has made it.
    }
  }
  return (
    <FormDialog
      title={record ? labels.changeTitle(family.nameOf(record)) : labels.create(one)}
      description={about}
      fields={fields({ ...context, options }, record)}
      initial={draftOf(record, context)}
      onSubmit={send}
      onClose={onClose}
    >
      {(draft) => Trial && <Trial draft={draft} />}
    </FormDialog>
  );
}
