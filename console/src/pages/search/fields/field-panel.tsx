// The fields of the records with their top values: a click filters, another shows the field as a column.

import { useState } from 'react';
import { IconButton } from '#console/components/button.tsx';
import { BarList } from '#console/components/charts/bar-list.tsx';
import { TextField } from '#console/components/forms/field.tsx';
import { Icon } from '#console/components/icon.tsx';
import { Loading } from '#console/components/states.tsx';
import { matching } from '#console/filters/text-filter.ts';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { useActions } from '#console/pages/search/actions.ts';
import { ValueActions } from '#console/pages/search/rows/value-actions.tsx';
import { valueText } from '#console/results/row.ts';
import { CellText } from '#console/results/stored-text.tsx';
import { numberText, shortNumber } from '#console/time/numbers.ts';
import type { FieldCounts, FieldSummary } from './field-counts.ts';
import styles from './fields.module.css';

interface FieldPanelProps {
  readonly summary: FieldSummary | undefined;
  readonly hasFailed: boolean;
  readonly types: ReadonlyMap<string, string>;
}

const MAX_VALUE = 60;
/** Fields of few values are read at a glance. */
const isTelling = ({ distinct, field }: FieldCounts): boolean =>
  distinct > 1 && distinct <= 12 && (!field.startsWith('_') || field === '_table');
const MAX_OPENED = 3;

export function FieldPanel({ summary, hasFailed, types }: FieldPanelProps) {
  const { search: labels } = useLabels();
  const { locale } = useLanguage();
  const [wanted, setWanted] = useState('');
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  if (!summary) return hasFailed ? <p className={styles.note}>{labels.facetsFailed}</p> : <Loading lines={8} />;
  const telling = new Set(
    summary.fields
      .filter(isTelling)
      .slice(0, MAX_OPENED)
      .map(({ field }) => field),
  );
  const found = matching(summary.fields, wanted, ({ field }) => field).toSorted(
    (one, other) => +(one.count === 0) - +(other.count === 0),
  );
  const rows = shortNumber(summary.rows, locale);
  return (
    <>
      <TextField
        label={labels.findField}
        isLabelHidden
        placeholder={labels.findField}
        type="search"
        value={wanted}
        onChange={setWanted}
      />
      <p className={styles.note}>
        {summary.isOfRecords ? labels.ofRows(rows) : labels.ofShown(rows)}
        {summary.isPartial && ` · ${labels.partial}`}
      </p>
      {found.length === 0 && wanted !== '' && <p className={styles.note}>{labels.noField}</p>}
      <ul className={styles.list}>
        {found.map((counts) => (
          <FieldItem
            key={counts.field}
            counts={counts}
            summary={summary}
            type={types.get(counts.field) ?? 'any'}
            isOpen={telling.has(counts.field) !== toggled.has(counts.field)}
            onToggle={() => setToggled(toggled.symmetricDifference(new Set([counts.field])))}
          />
        ))}
      </ul>
    </>
  );
}

interface FieldItemProps {
  readonly counts: FieldCounts;
  readonly summary: FieldSummary;
  readonly type: string;
  readonly isOpen: boolean;
  onToggle(): void;
}

const SIGNS: Readonly<Record<string, string>> = {
  string: 'Aa',
  long: '12',
  double: '1.5',
  bool: '✓',
  list: '[ ]',
  map: '{ }',
};

function FieldItem({ counts, summary, type, isOpen, onToggle }: FieldItemProps) {
  const { search: labels } = useLabels();
  const { locale } = useLanguage();
  const { columns, setColumns } = useActions();
  const { field, distinct, values } = counts;
  const isColumn = columns.includes(field);
  return (
    <li className={styles.item}>
      <div className={styles.head} data-empty={counts.count === 0}>
        <button
          type="button"
          className={styles.name}
          aria-expanded={isOpen}
          title={`${field} (${type}) · ${labels.distinct(numberText(distinct, locale))}`}
          onClick={onToggle}
        >
          <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} size={12} />
          <span className={styles.sign} aria-hidden="true">
            {type === 'date' ? <Icon name="clock" size={12} /> : (SIGNS[type] ?? '·')}
          </span>
          <CellText text={field} />
          <span className={styles.distinct}>{shortNumber(distinct, locale)}</span>
        </button>
        <IconButton
          size="small"
          icon="columns"
          label={`${isColumn ? labels.removeColumn : labels.addColumn}: ${field}`}
          aria-pressed={isColumn}
          onClick={() => setColumns(isColumn ? columns.filter((one) => one !== field) : [...columns, field])}
        />
      </div>
      {isOpen && values.length === 0 && <p className={styles.note}>{labels.noValues}</p>}
      {isOpen && values.length > 0 && (
        <div className={styles.values}>
          <BarList
            label={field}
            whole={Math.max(1, summary.rows)}
            items={values.map(({ value, count }) => ({
              key: valueText(value),
              label: <CellText text={valueText(value)} max={MAX_VALUE} />,
              value: count,
              text: percentText(count / Math.max(1, summary.rows)),
              actions: <ValueActions field={field} value={value} target={summary.isOfRecords ? 'records' : 'result'} />,
            }))}
          />
        </div>
      )}
    </li>
  );
}

const percentText = (share: number): string =>
  `${share >= 0.1 || share === 0 ? Math.round(share * 100) : (share * 100).toFixed(1)}%`;
