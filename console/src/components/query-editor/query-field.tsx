// The editor of queries in a form: it is loaded when it is shown.

import { Field } from '#console/components/forms/field.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { lazyPart } from '#console/loading/lazy-part.tsx';
import type { QueryEditorProps } from './query-editor.tsx';

/** Without a frame, for a field of a form that has one. */
export const QueryControl = lazyPart(() => import('./query-editor.tsx'), 'QueryEditor', 2);

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
