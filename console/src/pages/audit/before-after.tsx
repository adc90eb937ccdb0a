// What an entry changed, side by side.

import { Answered } from '#console/components/states.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { numberText } from '#console/time/numbers.ts';
import styles from './audit.module.css';
import type { AuditEntry } from './audit-search.ts';
import { type Change, changesOf, objectKeyOf, useEntryBefore } from './entry-changes.ts';
import { Value, ValueName } from './entry-values.tsx';

export function BeforeAfter({ entry }: { readonly entry: AuditEntry }) {
  const { audit: labels } = useLabels();
  const answer = useEntryBefore(entry);
  if (objectKeyOf(entry) === undefined) return undefined;
  return (
    <section aria-label={labels.changes}>
      <h3>{labels.changes}</h3>
      <Answered answer={answer} lines={2}>
        {(before) => <Changes rows={changesOf(entry, before)} before={before} />}
      </Answered>
    </section>
  );
}

function Changes({ rows, before }: { readonly rows: readonly Change[]; readonly before: AuditEntry | null }) {
  const { audit: labels } = useLabels();
  const { locale } = useLanguage();
  if (before === null && rows.every((row) => row.before === undefined)) return <p>{labels.noBefore}</p>;
  return (
    <div className={styles.scroller}>
      <table className={styles.changes}>
        <thead>
          <tr>
            <th scope="col">{labels.change}</th>
            <th scope="col">{before ? labels.beforeEntry(numberText(before.id, locale)) : labels.before}</th>
            <th scope="col">{labels.after}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name} data-changed={row.isChanged}>
              <th scope="row">
                <ValueName name={row.name} />
                {row.isChanged && <span className="visually-hidden"> ({labels.changed})</span>}
              </th>
              <td>
                {row.before === undefined ? (
                  <span className={styles.none}>{labels.notSet}</span>
                ) : (
                  <Value value={row.before} />
                )}
              </td>
              <td>
                <Value value={row.after} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
