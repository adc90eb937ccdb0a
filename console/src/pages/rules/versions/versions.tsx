// The versions of a rule as a timeline; two of them side by side, and the way back to one.

import { useState } from 'react';
import type { AnswerFor } from '#client/call.ts';
import { useAnswer } from '#console/client/answers.ts';
import { Button } from '#console/components/button.tsx';
import { HistoryList } from '#console/components/history-list.tsx';
import { Answered } from '#console/components/states.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import styles from '#console/pages/rules/rules.module.css';
import type { ChangeProps, Rule, RuleKind } from '#console/pages/rules/rules-search.ts';
import { useMayChange } from '#console/pages/rules/use-rules.ts';
import { RestoreDialog } from './restore-dialog.tsx';
import { VersionDiff } from './version-diff.tsx';

export type Version = AnswerFor<'GET /api/core/batch-rules/:guid/versions'>['versions'][number];

interface VersionsProps extends ChangeProps {
  readonly kind: RuleKind;
  readonly guid: string;
  /** Undefined for a removed one, which has nothing to restore into. */
  readonly rule: Rule | undefined;
}

export function Versions({ kind, guid, rule, search, onChange }: VersionsProps) {
  const { rules: labels, events } = useLabels();
  const mayChange = useMayChange() && rule !== undefined;
  const [restoring, setRestoring] = useState<number>();
  const answer = useAnswer(`GET /api/core/${kind}-rules/:guid/versions` as const, { guid });
  return (
    <Answered answer={answer}>
      {({ versions }) => {
        const newest = versions[0]?.version ?? 1;
        const { left, right } = search;
        return (
          <div className={styles.stack}>
            {left !== undefined && right !== undefined && (
              <VersionDiff
                kind={kind}
                guid={guid}
                left={left}
                right={right}
                versions={versions}
                onChange={onChange}
                onClose={() => onChange({ left: undefined, right: undefined })}
              />
            )}
            <HistoryList
              label={labels.versions}
              entries={versions.map((version) => ({
                key: String(version.version),
                title: `${labels.versionNumber(version.version)}: ${events.changes[version.change]}`,
                who: version.user_name,
                at: version.created,
                ...(version.version === newest && rule ? { mark: labels.current, isCurrent: true } : {}),
                note: (
                  <Note
                    version={version}
                    newest={newest}
                    mayRestore={mayChange && version.version !== newest}
                    onCompare={() => onChange({ left: version.version, right: newest })}
                    onRestore={() => setRestoring(version.version)}
                  />
                ),
              }))}
            />
            {restoring !== undefined && (
              <RestoreDialog
                kind={kind}
                guid={guid}
                version={restoring}
                onClose={() => setRestoring(undefined)}
                onEdit={() => onChange({ edit: true, base: restoring })}
              />
            )}
          </div>
        );
      }}
    </Answered>
  );
}

interface NoteProps {
  readonly version: Version;
  readonly newest: number;
  readonly mayRestore: boolean;
  onCompare(): void;
  onRestore(): void;
}

function Note({ version: { version, comment, restored_from }, newest, mayRestore, onCompare, onRestore }: NoteProps) {
  const { rules: labels } = useLabels();
  return (
    <div className={styles.toolbar}>
      {restored_from !== null && <span>{labels.restoredFrom(restored_from)}</span>}
      {comment !== null && <span>{comment}</span>}
      {version !== newest && (
        <Button size="small" kind="quiet" icon="columns" aria-label={labels.compareWith(version)} onClick={onCompare}>
          {labels.compare}
        </Button>
      )}
      {mayRestore && (
        <Button
          size="small"
          kind="quiet"
          icon="history"
          aria-label={labels.restoreVersion(version)}
          onClick={onRestore}
        >
          {labels.restore}
        </Button>
      )}
    </div>
  );
}
