// Filters of the list, with how many events each would leave.

import type { AnswerFor } from '#client/call.ts';
import { FilterSelect } from '#console/components/forms/filter-select.tsx';
import { KeywordsField } from '#console/components/forms/keywords-field.tsx';
import { Toggles } from '#console/components/forms/toggles.tsx';
import { boundFilters } from '#console/filters/bound-filters.ts';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { shortNumber } from '#console/time/numbers.ts';
import styles from './events.module.css';
import { type EventsSearch, PRIORITIES, RULE_TYPES, STATUSES } from './events-search.ts';

type Facts = AnswerFor<'GET /api/core/events/histogram'>;

interface EventFiltersProps {
  readonly search: EventsSearch;
  readonly facts: Facts | undefined;
  onChange(changed: EventsSearch): void;
}

export function EventFilters({ search, facts, onChange }: EventFiltersProps) {
  const { events: labels, priority, status } = useLabels();
  const filters = boundFilters(search, onChange);
  return (
    <div className={styles.filters}>
      <KeywordsField label={labels.keywords} {...filters.one('keywords')} />
      <Toggles
        label={labels.priority}
        options={PRIORITIES.map((id) => ({ id, label: priority[id], count: facts?.priorities[id] }))}
        {...filters.many('priorities')}
      />
      <Toggles
        label={labels.status}
        options={STATUSES.map((id) => ({ id, label: status[id], count: facts?.statuses[id] }))}
        {...filters.many('statuses')}
      />
      <FilterSelect
        label={labels.type}
        anyLabel={labels.anyType}
        options={RULE_TYPES.map((value) => ({ value, label: labels.types[value] }))}
        {...filters.one('type')}
      />
      <Rules search={search} facts={facts} onChange={onChange} />
    </div>
  );
}

function Rules({ search: { rule }, facts, onChange }: EventFiltersProps) {
  const { events: labels } = useLabels();
  const { locale } = useLanguage();
  const rules = facts?.rules ?? [];
  const isListed = rule === undefined || rules.some(({ rule_guid }) => rule_guid === rule);
  return (
    <FilterSelect
      label={labels.rule}
      anyLabel={labels.anyRule}
      value={rule}
      options={[
        ...(isListed || rule === undefined ? [] : [{ value: rule, label: labels.chosenRule }]),
        ...rules.map(({ rule_guid, rule_name, count }) => ({
          value: rule_guid,
          label: `${rule_name} (${shortNumber(count, locale)})`,
        })),
      ]}
      onChange={(chosen) => onChange({ rule: chosen })}
    />
  );
}
