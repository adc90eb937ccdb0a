// Step three: the table that the logs go to, and where a logger has to be made, how it listens.

import { useAnswer } from '#console/client/answers.ts';
import { Button } from '#console/components/button.tsx';
import { Form, useForm } from '#console/components/forms/form.tsx';
import type { FormField } from '#console/components/forms/form-field.ts';
import { useLabels } from '#console/labels/labels.tsx';
import { type ConfigValues, NO_CONFIGS, useConfigFields } from '#console/pages/sources/logger-configs.ts';
import { type TableDraft, useTableFields } from '#console/pages/sources/table-fields.ts';
import { useSourceRefresh } from '#console/pages/sources/use-source-refresh.ts';
import styles from './add.module.css';
import { KINDS, type KindId } from './kinds.ts';
import { type Made, makeSource } from './make-source.ts';

interface TableStepProps {
  readonly kind: KindId;
  readonly parser: string;
  readonly chosen: string | undefined;
  onDone(made: Made): void;
}

export interface SourceDraft extends ConfigValues, TableDraft {
  readonly factory: string;
  readonly name: string;
}

const ALL = { limit: 10_000 };

export function TableStep({ kind, parser, chosen, onDone }: TableStepProps) {
  const { sources: labels } = useLabels();
  const refresh = useSourceRefresh();
  const tables = useAnswer('GET /api/core/tables', ALL).data?.tables.map(({ table_name }) => table_name) ?? [];
  const { factories } = KINDS[kind];
  const fields = useSourceFields(tables, factories);
  const form = useForm<SourceDraft>({
    fields,
    initial: { ...NO_CONFIGS, table: chosen ?? '', retention: 0, factory: factories[0] ?? '', name: '', from: 'start' },
    onSubmit: async (draft) => {
      const made = await makeSource(draft, { parser, isThere: tables.includes(draft.table) });
      refresh();
      onDone(made);
    },
  });
  return (
    <div className={styles.step}>
      <p className={styles.note}>{factories.length > 0 ? labels.loggerText : labels.tableText}</p>
      <Form form={form}>
        <div className={styles.buttons}>
          <Button kind="primary" type="submit" disabled={form.isSending}>
            {labels.next}
          </Button>
        </div>
      </Form>
    </div>
  );
}

function useSourceFields(tables: readonly string[], factories: readonly string[]): readonly FormField<SourceDraft>[] {
  const { sources: labels } = useLabels();
  const tableFields = useTableFields({ label: labels.tableName, tables, mayMake: true });
  const names: Readonly<Record<string, string>> = labels.factories;
  const configs = useConfigFields((draft) => (draft as SourceDraft).factory); // Its draft is that of this form.
  const isLogger = factories.length > 0;
  return [
    ...tableFields,
    {
      kind: 'choice',
      name: 'factory',
      label: labels.kind,
      options: factories.map((value) => ({ value, label: names[value] ?? value })),
      isShown: () => factories.length > 1,
    },
    {
      kind: 'text',
      name: 'name',
      label: labels.loggerName,
      hint: labels.loggerNameHint,
      isRequired: true,
      maxLength: 50,
      isShown: () => isLogger,
    },
    // They look at their part of the draft alone.
    ...(isLogger ? (configs as unknown as readonly FormField<SourceDraft>[]) : []),
  ];
}
