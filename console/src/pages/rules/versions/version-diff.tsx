// Two versions side by side: what differs is marked inside the values.

import { useState } from 'react';
import { useAnswer } from '#console/client/answers.ts';
import { IconButton } from '#console/components/button.tsx';
import { Checkbox } from '#console/components/forms/field.tsx';
import { Select } from '#console/components/forms/select.tsx';
import { Panel } from '#console/components/page-frame.tsx';
import { Failed, Loading } from '#console/components/states.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import {
  type ChangedText,
  changedParts,
  type FieldsOfRule,
  fieldText,
  ruleFields,
} from '#console/pages/rules/rule-values.ts';
import styles from '#console/pages/rules/rules.module.css';
import type { RuleKind, RulesSearch } from '#console/pages/rules/rules-search.ts';
import type { Version } from './versions.tsx';

interface VersionDiffProps {
  readonly kind: RuleKind;
  readonly guid: string;
  readonly left: number;
  readonly right: number;
  readonly versions: readonly Version[];
  onChange(change: RulesSearch): void;
  onClose(): void;
}

export function VersionDiff({ kind, guid, left, right, versions, onChange, onClose }: VersionDiffProps) {
  const { rules: labels, common } = useLabels();
  const [isShort, setShort] = useState(true);
  const one = useAnswer(`GET /api/core/${kind}-rules/:guid/versions/:version` as const, { guid, version: left });
  const other = useAnswer(`GET /api/core/${kind}-rules/:guid/versions/:version` as const, { guid, version: right });
  const diff = useAnswer(`GET /api/core/${kind}-rules/:guid/versions/:version/diff` as const, {
    guid,
    version: left,
    with: right,
  });
  const error = one.error ?? other.error ?? diff.error;
  return (
    <Panel
      title={labels.compare}
      controls={<IconButton size="small" icon="close" label={common.close} onClick={onClose} />}
    >
      <div className={styles.stack}>
        <div className={styles.toolbar}>
          <VersionSelect
            label={labels.left}
            value={left}
            versions={versions}
            onChange={(next) => onChange({ left: next })}
          />
          <VersionSelect
            label={labels.right}
            value={right}
            versions={versions}
            onChange={(next) => onChange({ right: next })}
          />
          <Checkbox label={labels.onlyChanges} isChecked={isShort} onChange={setShort} />
        </div>
        {error && <Failed error={error} />}
        {one.data && other.data && diff.data ? (
          <Sides
            left={one.data.version.rule}
            right={other.data.version.rule}
            names={[labels.versionNumber(left), labels.versionNumber(right)]}
            only={isShort ? diff.data.changes.map(({ field }) => field) : undefined}
          />
        ) : (
          !error && <Loading lines={3} />
        )}
      </div>
    </Panel>
  );
}

interface VersionSelectProps {
  readonly label: string;
  readonly value: number;
  readonly versions: readonly Version[];
  onChange(version: number): void;
}

function VersionSelect({ label, value, versions, onChange }: VersionSelectProps) {
  const { rules: labels } = useLabels();
  return (
    <Select
      label={label}
      value={String(value)}
      options={versions.map(({ version }) => ({ value: String(version), label: labels.versionNumber(version) }))}
      onChange={(next) => onChange(Number(next))}
    />
  );
}

interface SidesProps {
  readonly left: FieldsOfRule;
  readonly right: FieldsOfRule;
  readonly names: readonly [string, string];
  /** Fields to show; otherwise all that are set in either. */
  readonly only: readonly string[] | undefined;
}

export function Sides({ left, right, names, only }: SidesProps) {
  const labels = useLabels();
  const { rules } = labels;
  const rows = ruleFields(labels)
    .map((field) => ({ field, one: fieldText(field, left, labels), other: fieldText(field, right, labels) }))
    .filter(({ field, one, other }) => (only ? only.includes(field) : one !== '' || other !== ''));
  if (rows.length === 0) return <p className={styles.note}>{rules.noChanges}</p>;
  return (
    <table className={styles.sides}>
      <thead>
        <tr>
          <th scope="col">{rules.field}</th>
          {names.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ field, one, other }) => {
          const [before, after] = changedParts(one, other);
          return (
            <tr key={field}>
              <th scope="row">{rules.fields[field]}</th>
              <Side text={before} kind="del" />
              <Side text={after} kind="ins" />
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Side({
  text: { before, changed, after },
  kind: Mark,
}: {
  readonly text: ChangedText;
  readonly kind: 'del' | 'ins';
}) {
  const { rules } = useLabels();
  const isUnset = before + changed + after === '';
  return (
    <td>
      {isUnset ? (
        <span className={styles.note}>{rules.notSet}</span>
      ) : (
        <>
          {before}
          {changed !== '' && <Mark>{changed}</Mark>}
          {after}
        </>
      )}
    </td>
  );
}
