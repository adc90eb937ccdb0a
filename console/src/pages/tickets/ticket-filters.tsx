// Filters of board and list.

import { useAnswer } from '#console/client/answers.ts';
import { useAccount } from '#console/client/session.ts';
import { FilterSelect } from '#console/components/forms/filter-select.tsx';
import { KeywordsField } from '#console/components/forms/keywords-field.tsx';
import { Select } from '#console/components/forms/select.tsx';
import { Toggles } from '#console/components/forms/toggles.tsx';
import { boundFilters } from '#console/filters/bound-filters.ts';
import { useLabels } from '#console/labels/labels.tsx';
import { LENGTHS } from '#console/time/ranges.ts';
import styles from './tickets.module.css';
import { ORDERS, PRIORITIES, STATUSES, type TicketsSearch } from './tickets-search.ts';

interface TicketFiltersProps {
  readonly search: TicketsSearch;
  onChange(changed: TicketsSearch): void;
}

export function TicketFilters({ search, onChange }: TicketFiltersProps) {
  const { tickets: labels, priority, range } = useLabels();
  const filters = boundFilters(search, onChange);
  return (
    <div className={styles.filters}>
      <KeywordsField label={labels.keywords} {...filters.one('keywords')} />
      <Toggles
        label={labels.priority}
        options={PRIORITIES.map((id) => ({ id, label: priority[id] }))}
        {...filters.many('priorities')}
      />
      {search.view === 'list' && (
        <Toggles
          label={labels.statusFilter}
          options={STATUSES.map((id) => ({ id, label: labels.status[id] }))}
          {...filters.many('statuses')}
        />
      )}
      <People search={search} onChange={onChange} />
      <FilterSelect
        label={labels.created}
        anyLabel={labels.anyTime}
        options={LENGTHS.map((length) => ({ value: length, label: range.last[length] }))}
        {...filters.one('within')}
      />
      <Select
        label={labels.order}
        value={search.order ?? 'newest'}
        options={ORDERS.map((value) => ({ value, label: labels.orders[value] }))}
        onChange={(order) => onChange({ order: order === 'newest' ? undefined : order })}
      />
    </div>
  );
}

/** The reader first. */
function People({ search, onChange }: TicketFiltersProps) {
  const { tickets: labels } = useLabels();
  const filters = boundFilters(search, onChange);
  const { guid: own, name } = useAccount();
  const answer = useAnswer('GET /api/core/users', {});
  const others = (answer.data?.users ?? []).filter(({ guid }) => guid !== own);
  const options = [
    { value: own, label: labels.me(name) },
    ...others.map((user) => ({ value: user.guid, label: user.name })),
  ];
  return (
    <>
      <FilterSelect
        label={labels.assignee}
        anyLabel={labels.anyAssignee}
        options={options}
        {...filters.one('assignee')}
      />
      <FilterSelect
        label={labels.approver}
        anyLabel={labels.anyApprover}
        options={options}
        {...filters.one('approver')}
      />
    </>
  );
}
