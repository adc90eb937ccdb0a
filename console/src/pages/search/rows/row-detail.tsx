// A row in full: every field with its type and value, and what can be done with them.

import { Button, IconButton } from '#console/components/button.tsx';
import { copyText } from '#console/components/copy-text.ts';
import { Menu, MenuItems } from '#console/components/overlays/menu.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { useActions } from '#console/pages/search/actions.ts';
import { jsonText, type Row, typeOf, valueText } from '#console/results/row.ts';
import { StoredText } from '#console/results/stored-text.tsx';
import { Time } from '#console/time/time.tsx';
import styles from './rows.module.css';
import { ValueActions } from './value-actions.tsx';

export interface RowDetailProps {
  readonly row: Row;
  readonly types: ReadonlyMap<string, string>;
  onClose(): void;
}

const CONTEXT_SPANS = { '10s': 10_000, '1m': 60_000, '10m': 600_000, '1h': 3_600_000 };

export function RowDetail({ row, types, onClose }: RowDetailProps) {
  const labels = useLabels();
  const { search } = labels;
  const { showContext } = useActions();
  const isRecord = typeof row._table === 'string' && typeof row._time === 'string';
  return (
    <>
      <div className={styles.actions}>
        <Button size="small" icon="copy" onClick={() => void copyText(jsonText(row, 2), labels)}>
          {search.copyRow}
        </Button>
        {isRecord && (
          <Menu
            trigger={
              <Button size="small" icon="clock">
                {search.context}
              </Button>
            }
          >
            <MenuItems
              items={Object.entries(CONTEXT_SPANS).map(([span, milliseconds]) => ({
                // The keys of the one object are those of the other.
                label: search.contextSpans[span as keyof typeof CONTEXT_SPANS],
                onSelect: () => showContext(row, milliseconds),
              }))}
            />
          </Menu>
        )}
        <Button size="small" kind="quiet" icon="close" onClick={onClose}>
          {labels.common.close}
        </Button>
      </div>
      <dl className={styles.fields}>
        {Object.entries(row).map(([name, value]) => (
          <FieldLine key={name} name={name} value={value} declared={types.get(name)} />
        ))}
      </dl>
    </>
  );
}

interface FieldLineProps {
  readonly name: string;
  readonly value: unknown;
  readonly declared: string | undefined;
}

function FieldLine({ name, value, declared }: FieldLineProps) {
  const labels = useLabels();
  const { search } = labels;
  const { columns, setColumns } = useActions();
  const type = typeOf(value, declared ?? (name === '_time' ? 'date' : undefined));
  const isColumn = columns.includes(name);
  return (
    <div className={styles.field}>
      <dt>
        <StoredText text={name} />
      </dt>
      <dd className={styles.type}>{search.types[type]}</dd>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: A long value is scrolled by keys. */}
      <dd className={styles.value} tabIndex={0}>
        <FieldValue value={value} isDate={type === 'date'} />
      </dd>
      <dd className={styles.fieldActions}>
        <ValueActions field={name} value={value} target="result" />
        <IconButton
          size="small"
          icon="columns"
          label={isColumn ? search.removeColumn : search.addColumn}
          aria-pressed={isColumn}
          onClick={() => setColumns(isColumn ? columns.filter((one) => one !== name) : [...columns, name])}
        />
        <IconButton
          size="small"
          icon="copy"
          label={search.copyValue}
          onClick={() => void copyText(valueText(value), labels)}
        />
      </dd>
    </div>
  );
}

function FieldValue({ value, isDate }: { readonly value: unknown; readonly isDate: boolean }) {
  const { search } = useLabels();
  if (value === null || value === undefined) return <span className={styles.none}>{search.null}</span>;
  if (isDate) return <Time at={String(value)} precision="millisecond" />;
  return <StoredText text={typeof value === 'object' ? jsonText(value, 2) : String(value)} />;
}
