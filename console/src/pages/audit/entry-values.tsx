// The values of an entry as a person reads them: names with labels, lists as lists, nested values below their name.

import type { ReactNode } from 'react';
import { Fact, Facts } from '#console/components/record-panel.tsx';
import type { Labels } from '#console/labels/en.ts';
import { useLabels } from '#console/labels/labels.tsx';
import styles from './audit.module.css';

const MAX_DEPTH = 4;

type Names = Labels['audit']['names'];

/** The label of a parameter; names without one stand as they are in the reference. */
export function ValueName({ name }: { readonly name: string }) {
  const { names } = useLabels().audit;
  return isNamed(names, name) ? names[name] : <code>{name}</code>;
}

const isNamed = (names: Names, name: string): name is keyof Names => Object.hasOwn(names, name);

interface EntryValuesProps {
  readonly values: Readonly<Record<string, unknown>>;
  readonly depth?: number;
}

export const EntryValues = ({ values, depth = 0 }: EntryValuesProps) => (
  <Facts>
    {Object.entries(values).map(([name, value]) => (
      <Fact key={name} name={<ValueName name={name} />}>
        <Value value={value} depth={depth} />
      </Fact>
    ))}
  </Facts>
);

export function Value({ value, depth = 0 }: { readonly value: unknown; readonly depth?: number }): ReactNode {
  const { common } = useLabels();
  if (value === null || value === undefined || value === '') return <span className={styles.none}>{common.none}</span>;
  if (typeof value === 'boolean') return value ? common.yes : common.no;
  if (typeof value !== 'object') return String(value);
  if (depth >= MAX_DEPTH) return <code>{JSON.stringify(value)}</code>;
  if (!Array.isArray(value)) return <EntryValues values={{ ...value }} depth={depth + 1} />;
  if (value.length === 0) return <span className={styles.none}>{common.none}</span>;
  return (
    <ul className={styles.values}>
      {value.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: Items of a stored list keep their places.
        <li key={index}>
          <Value value={item} depth={depth + 1} />
        </li>
      ))}
    </ul>
  );
}
