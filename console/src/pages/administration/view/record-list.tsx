// The list of a family.

import { Aged } from '#console/components/aged.tsx';
import { type Column, DataTable, type RowSelection } from '#console/components/data-table.tsx';
import { EmptyState, Failed, Loading } from '#console/components/states.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import styles from '#console/pages/administration/administration.module.css';
import type { AnyFamily, AnyRecord, Value } from '#console/pages/administration/family.ts';
import { useChange, useSearch } from '#console/pages/administration/use-change.ts';
import { mayWrite, useFamilyContext } from '#console/pages/administration/use-context.ts';
import type { Records } from './use-records.ts';

interface RecordListProps {
  readonly family: AnyFamily;
  readonly list: Records;
  readonly openKey: string | undefined;
  readonly selection: RowSelection | undefined;
}

export function RecordList({ family, list, openKey, selection }: RecordListProps) {
  const context = useFamilyContext();
  const change = useChange();
  const { records, error } = list;
  if (!records) return error ? <Failed error={error} onRetry={list.refetch} /> : <Loading lines={8} />;
  return (
    <Aged answers={[list.answer]}>
      <DataTable
        label={context.labels.administration.families[family.id].many}
        rows={records}
        rowKey={(record) => family.keyOf(record)}
        columns={columnsOf(family.values(context))}
        openKey={openKey}
        onOpen={(record) => change({ record: family.keyOf(record) === openKey ? undefined : family.keyOf(record) })}
        onEnd={list.readMore}
        empty={<NoRecords family={family} />}
        {...(selection ? { selection } : {})}
      />
    </Aged>
  );
}

export const columnsOf = (values: readonly Value<AnyRecord>[]): readonly Column<AnyRecord>[] =>
  values
    .filter(({ width }) => width !== undefined)
    .map(({ id, label, show, width, align, isLong, sortValue }) => ({
      id,
      header: label,
      cell: isLong ? (record: AnyRecord) => <span className={styles.clamp}>{show(record)}</span> : show,
      ...(width === undefined ? {} : { width }),
      ...(align === undefined ? {} : { align }),
      ...(sortValue === undefined ? {} : { sortValue }),
    }));

function NoRecords({ family }: { readonly family: AnyFamily }) {
  const labels = useLabels();
  const context = useFamilyContext();
  const { keywords } = useSearch();
  const { administration } = labels;
  if (keywords !== undefined)
    return <EmptyState title={administration.noneFound} text={administration.noneFoundText} />;
  const { title = administration.emptyTitle, text = '' } = family.empty?.(labels) ?? {};
  const isCreated = family.create !== undefined && mayWrite(family, context);
  return <EmptyState icon="list" title={title} text={isCreated ? administration.emptyText : text} />;
}
