// A query as a field of a form: its label, the editor, which is loaded when the field is shown, and a mistake of the service.

import { lazy, Suspense } from 'react';
import styles from '#console/components/field.module.css';
import { Loading } from '#console/components/states.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import type { QueryEditorProps } from './query-editor.tsx';

const QueryEditor = lazy(async () => ({ default: (await import('./query-editor.tsx')).QueryEditor }));

export interface QueryFieldProps extends QueryEditorProps {
  readonly hint?: string;
  readonly mistake?: string | undefined;
}

export function QueryField({ hint, mistake, ...editor }: QueryFieldProps) {
  const { queryEditor: labels } = useLabels();
  const note = mistake ?? hint;
  return (
    <div className={styles.field}>
      {/* The editor is no control of the browser; its own label is read aloud. */}
      <span className={styles.label} aria-hidden="true">
        {editor.label ?? labels.label}
      </span>
      <Suspense fallback={<Loading lines={2} />}>
        <QueryEditor {...editor} />
      </Suspense>
      {note !== undefined && (
        <p
          className={mistake === undefined ? styles.hint : styles.mistake}
          {...(mistake === undefined ? {} : { role: 'alert' })}
        >
          {note}
        </p>
      )}
    </div>
  );
}
