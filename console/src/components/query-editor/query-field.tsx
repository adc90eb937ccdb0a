// The editor of queries in a form: it is loaded when it is shown.

import { lazy, Suspense } from 'react';
import { Field } from '#console/components/field.tsx';
import { Loading } from '#console/components/states.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import type { QueryEditorProps } from './query-editor.tsx';

const QueryEditor = lazy(async () => ({ default: (await import('./query-editor.tsx')).QueryEditor }));

/** Without a frame, for a field of a form that has one. */
export const QueryControl = (props: QueryEditorProps) => (
  <Suspense fallback={<Loading lines={2} />}>
    <QueryEditor {...props} />
  </Suspense>
);

export interface QueryFieldProps extends QueryEditorProps {
  readonly hint?: string;
  readonly mistake?: string | undefined;
}

export function QueryField({ hint, mistake, ...editor }: QueryFieldProps) {
  const { queryEditor: labels } = useLabels();
  return (
    <Field label={editor.label ?? labels.label} hint={hint} mistake={mistake}>
      {() => <QueryControl {...editor} />}
    </Field>
  );
}
