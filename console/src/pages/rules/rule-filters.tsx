// Filters of the list, as the operations have them.

import { useAnswer } from '#console/client/answers.ts';
import { FilterSelect } from '#console/components/forms/filter-select.tsx';
import { KeywordsField } from '#console/components/forms/keywords-field.tsx';
import { boundFilters } from '#console/filters/bound-filters.ts';
import { useLabels } from '#console/labels/labels.tsx';
import styles from './rules.module.css';
import { type ChangeProps, KINDS, PRIORITIES, SWITCHED } from './rules-search.ts';

const ALL = { limit: 1000 };

export function RuleFilters({ search, onChange }: ChangeProps) {
  const { rules: labels, priority: priorities } = useLabels();
  const filters = boundFilters(search, onChange);
  const categories = useAnswer('GET /api/core/rule-categories', ALL).data?.rule_categories ?? [];
  return (
    <div className={styles.filters}>
      <KeywordsField label={labels.keywords} {...filters.one('keywords')} />
      <FilterSelect
        label={labels.kind}
        anyLabel={labels.anyKind}
        options={KINDS.map((value) => ({ value, label: labels.kinds[value] }))}
        {...filters.one('kind')}
      />
      <FilterSelect
        label={labels.state}
        anyLabel={labels.anyState}
        options={SWITCHED.map((value) => ({ value, label: labels.states[value] }))}
        {...filters.one('enabled')}
      />
      <FilterSelect
        label={labels.fields.priority}
        anyLabel={labels.anyPriority}
        options={PRIORITIES.map((value) => ({ value, label: priorities[value] }))}
        {...filters.one('priority')}
      />
      <FilterSelect
        label={labels.fields.category_guid}
        anyLabel={labels.anyCategory}
        options={categories.map(({ guid, name }) => ({ value: guid, label: name }))}
        {...filters.one('category')}
      />
    </div>
  );
}
