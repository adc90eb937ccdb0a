// Filters of board and list.

import { useAnswer } from '#console/client/answers.ts';
import { useAccount } from '#console/client/session.ts';
import { FilterSelect } from '#console/components/filter-select.tsx';
import { KeywordsField } from '#console/components/keywords-field.tsx';
import { Select } from '#console/components/select.tsx';
import { Toggles } from '#console/components/toggles.tsx';
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
  return (
    <div className={styles.filters}>
      <KeywordsField
        label={labels.keywords}
        value={search.keywords ?? ''}
        onChange={(keywords) => onChange({ keywords })}
      />
      <Toggles
        label={labels.priority}
        options={PRIORITIES.map((id) => ({ id, label: priority[id] }))}
        chosen={search.priorities ?? []}
        onChange={(priorities) => onChange({ priorities })}
      />
      {search.view === 'list' && (
        <Toggles
          label={labels.statusFilter}
          options={STATUSES.map((id) => ({ id, label: labels.status[id] }))}
          chosen={search.statuses ?? []}
          onChange={(statuses) => onChange({ statuses })}
        />
      )}
      <People search={search} onChange={onChange} />
      <FilterSelect
        label={labels.created}
        anyLabel={labels.anyTime}
        value={search.within}
        options={LENGTHS.map((length) => ({ value: length, label: range.last[length] }))}
        onChange={(within) => onChange({ within })}
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
        value={search.assignee}
        options={options}
        onChange={(assignee) => onChange({ assignee })}
      />
      <FilterSelect
        label={labels.approver}
        anyLabel={labels.anyApprover}
        value={search.approver}
        options={options}
        onChange={(approver) => onChange({ approver })}
      />
    </>
  );
}
