// One entry in full.

import { Button } from '#console/components/button.tsx';
import { copyText } from '#console/components/copy-text.ts';
import { Fact, Facts, RecordPanel } from '#console/components/record-panel.tsx';
import { Answered, EmptyState } from '#console/components/states.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { numberText } from '#console/time/numbers.ts';
import { Time } from '#console/time/time.tsx';
import styles from './audit.module.css';
import type { AuditEntry, AuditSearch } from './audit-search.ts';
import { BeforeAfter } from './before-after.tsx';
import { isChange, objectKeyOf } from './entry-changes.ts';
import { ResultBadge } from './entry-list.tsx';
import { EntryProof } from './entry-proof.tsx';
import { EntryValues } from './entry-values.tsx';
import { ObjectLink } from './object-link.tsx';
import { useEntry } from './use-entries.ts';

interface EntryDetailProps {
  readonly id: number;
  /** Where the list has it. */
  readonly known: AuditEntry | undefined;
  onClose(): void;
  onFilter(changed: AuditSearch): void;
}

export function EntryDetail({ id, known, onClose, onFilter }: EntryDetailProps) {
  const { audit: labels } = useLabels();
  const { locale } = useLanguage();
  const answer = useEntry(id, known);
  return (
    <RecordPanel title={labels.entry(numberText(id, locale))} onClose={onClose}>
      {known ? (
        <Content entry={known} onFilter={onFilter} />
      ) : (
        <Answered answer={answer}>
          {(entry) =>
            entry ? <Content entry={entry} onFilter={onFilter} /> : <EmptyState icon="audit" title={labels.gone} />
          }
        </Answered>
      )}
    </RecordPanel>
  );
}

interface ContentProps {
  readonly entry: AuditEntry;
  onFilter(changed: AuditSearch): void;
}

function Content({ entry, onFilter }: ContentProps) {
  const labelsOfAll = useLabels();
  const { audit: labels } = labelsOfAll;
  const { request_id, ...values } = entry.msg_params ?? {};
  const facts = Object.fromEntries(Object.entries(values).filter(([name, value]) => entry.params?.[name] !== value));
  return (
    <div className={styles.content}>
      <p className={styles.headline}>{entry.msg ?? entry.action ?? `${entry.module}.${entry.method}`}</p>
      <p className={styles.actions}>
        <ResultBadge entry={entry} />
        <ObjectLink entry={entry} />
        <Button size="small" icon="copy" onClick={() => void copyText(JSON.stringify(entry, null, 2), labelsOfAll)}>
          {labels.copyJson}
        </Button>
      </p>
      <Origin entry={entry} requestId={typeof request_id === 'string' ? request_id : undefined} onFilter={onFilter} />
      {isChange(entry) && <BeforeAfter entry={entry} />}
      <h3>{labels.params}</h3>
      {Object.keys(entry.params ?? {}).length === 0 ? (
        <p className={styles.none}>{labels.noParams}</p>
      ) : (
        <EntryValues values={entry.params ?? {}} />
      )}
      {Object.keys(facts).length > 0 && (
        <>
          <h3>{labels.facts}</h3>
          <EntryValues values={facts} />
        </>
      )}
      <h3>{labels.proof}</h3>
      <EntryProof id={entry.id} />
    </div>
  );
}

interface OriginProps extends ContentProps {
  readonly requestId: string | undefined;
}

/** Who, when, from where, and what. */
function Origin({ entry, requestId, onFilter }: OriginProps) {
  const { audit: labels, common } = useLabels();
  const { locale } = useLanguage();
  const key = objectKeyOf(entry);
  const isKnown = entry.user_guid !== undefined;
  return (
    <Facts>
      <Fact name={labels.number}>{numberText(entry.id, locale)}</Fact>
      <Fact name={common.time}>
        <Time at={entry.created_at} precision="millisecond" />
      </Fact>
      <Fact name={labels.user}>
        {isKnown ? entry.user_name : `${entry.user_name} (${labels.unknownAccount})`}
        <Filter label={labels.ofUser} onClick={() => onFilter({ user: entry.user_name })} />
      </Fact>
      <Fact name={labels.address}>
        {entry.remote_ip}
        <Filter label={labels.ofAddress} onClick={() => onFilter({ address: entry.remote_ip })} />
      </Fact>
      {entry.category !== undefined && <Fact name={labels.category}>{entry.category}</Fact>}
      {entry.action !== undefined && <Fact name={labels.action}>{entry.action}</Fact>}
      <Fact name={labels.code}>
        <code>{`${entry.module}.${entry.method}`}</code>
      </Fact>
      {entry.error !== undefined && <Fact name={labels.error}>{entry.error}</Fact>}
      {requestId !== undefined && (
        <Fact name={labels.request}>
          <code>{requestId}</code>
          <Filter label={labels.ofRequest} onClick={() => onFilter({ keywords: requestId })} />
        </Fact>
      )}
      {key !== undefined && (
        <Fact name={labels.objectKey}>
          <code>{key}</code>
          <Filter label={labels.ofObject} onClick={() => onFilter({ keywords: key })} />
        </Fact>
      )}
    </Facts>
  );
}

const Filter = ({ label, onClick }: { readonly label: string; onClick(): void }) => (
  <Button kind="quiet" size="small" icon="filter" className={styles.filter} onClick={onClick}>
    {label}
  </Button>
);
