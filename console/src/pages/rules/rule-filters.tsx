// Filters of the list, as the operations have them.

import { useAnswer } from '#console/client/answers.ts';
import { FilterSelect } from '#console/components/filter-select.tsx';
import { KeywordsField } from '#console/components/keywords-field.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import styles from './rules.module.css';
import { type ChangeProps, KINDS, PRIORITIES, SWITCHED } from './rules-search.ts';

const ALL = { limit: 1000 };

export function RuleFilters({ search, onChange }: ChangeProps) {
  const { rules: labels, priority: priorities } = useLabels();
  const categories = useAnswer('GET /api/core/rule-categories', ALL).data?.rule_categories ?? [];
  return (
    <div className={styles.filters}>
      <KeywordsField
        label={labels.keywords}
        value={search.keywords ?? ''}
        onChange={(keywords) => onChange({ keywords })}
      />
      <FilterSelect
        label={labels.kind}
        anyLabel={labels.anyKind}
        value={search.kind}
        options={KINDS.map((value) => ({ value, label: labels.kinds[value] }))}
        onChange={(kind) => onChange({ kind })}
      />
      <FilterSelect
        label={labels.state}
        anyLabel={labels.anyState}
        value={search.enabled}
        options={SWITCHED.map((value) => ({ value, label: labels.states[value] }))}
        onChange={(enabled) => onChange({ enabled })}
      />
      <FilterSelect
        label={labels.fields.priority}
        anyLabel={labels.anyPriority}
        value={search.priority}
        options={PRIORITIES.map((value) => ({ value, label: priorities[value] }))}
        onChange={(priority) => onChange({ priority })}
      />
      <FilterSelect
        label={labels.fields.category_guid}
        anyLabel={labels.anyCategory}
        value={search.category}
        options={categories.map(({ guid, name }) => ({ value: guid, label: name }))}
        onChange={(category) => onChange({ category })}
      />
    </div>
  );
}
