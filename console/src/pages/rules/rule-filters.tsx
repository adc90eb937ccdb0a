// Filters of the list, as the operations have them.

import { useAnswer } from '#console/client/answers.ts';
import { KeywordsField } from '#console/components/keywords-field.tsx';
import { Select } from '#console/components/select.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import styles from './rules.module.css';
import { type ChangeProps, KINDS, PRIORITIES, SWITCHED } from './rules-search.ts';

const ANY = 'any';
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
      <Select
        label={labels.kind}
        value={search.kind ?? ANY}
        options={[
          { value: ANY, label: labels.anyKind },
          ...KINDS.map((value) => ({ value, label: labels.kinds[value] })),
        ]}
        onChange={(value) => onChange({ kind: KINDS.find((kind) => kind === value) })}
      />
      <Select
        label={labels.state}
        value={search.enabled ?? ANY}
        options={[
          { value: ANY, label: labels.anyState },
          ...SWITCHED.map((value) => ({ value, label: labels.states[value] })),
        ]}
        onChange={(value) => onChange({ enabled: SWITCHED.find((state) => state === value) })}
      />
      <Select
        label={labels.fields.priority}
        value={search.priority ?? ANY}
        options={[
          { value: ANY, label: labels.anyPriority },
          ...PRIORITIES.map((value) => ({ value, label: priorities[value] })),
        ]}
        onChange={(value) => onChange({ priority: PRIORITIES.find((priority) => priority === value) })}
      />
      <Select
        label={labels.fields.category_guid}
        value={search.category ?? ANY}
        options={[
          { value: ANY, label: labels.anyCategory },
          ...categories.map(({ guid, name }) => ({ value: guid, label: name })),
        ]}
        onChange={(value) => onChange({ category: value === ANY ? undefined : value })}
      />
    </div>
  );
}
