// The two filters of a value: only rows with it, only rows without it.

import { IconButton } from '#console/components/button.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { useActions } from '#console/pages/search/actions.ts';
import type { FieldValue, FilterTarget } from '#console/query-text/edits.ts';
import { conditionText } from '#console/query-text/literals.ts';
import { valueText } from '#console/results/row.ts';
import { cutText } from '#console/results/visible-text.ts';

const MAX_NAMED = 40;

/** Nothing for a value that a query text cannot name. */
export function ValueActions({ field, value, target }: FieldValue & { readonly target: FilterTarget }) {
  const { search: labels } = useLabels();
  const { filter } = useActions();
  if (conditionText(field, value) === undefined) return undefined;
  const named = value === null || value === undefined ? labels.null : cutText(valueText(value), MAX_NAMED);
  return (
    <>
      <IconButton
        size="small"
        icon="plus"
        label={labels.onlyField(field, named)}
        onClick={() => filter('only', { field, value }, target)}
      />
      <IconButton
        size="small"
        icon="minus"
        label={labels.withoutField(field, named)}
        onClick={() => filter('without', { field, value }, target)}
      />
    </>
  );
}
