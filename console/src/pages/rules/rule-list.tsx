// The list of rules of both kinds.

import type { ReactNode } from 'react';
import { PriorityBadge, StatusBadge } from '#console/components/badge.tsx';
import { type Column, DataTable, type RowSelection } from '#console/components/data-table.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { parseStamp } from '#console/time/moments.ts';
import { Time } from '#console/time/time.tsx';
import type { Rule } from './rules-search.ts';

interface RuleListProps {
  readonly rules: readonly Rule[];
  readonly selection?: RowSelection;
  readonly openKey: string | undefined;
  onOpen(rule: Rule): void;
  onEnd(): void;
  readonly empty: ReactNode;
}

export const keyOfRule = ({ kind, guid }: Pick<Rule, 'kind' | 'guid'>): string => `${kind} ${guid}`;

export function RuleList({ rules, openKey, ...rest }: RuleListProps) {
  const { rules: labels, pages, priority: priorities } = useLabels();
  const all: readonly Column<Rule>[] = [
    {
      id: 'name',
      header: labels.fields.name,
      width: 'minmax(12rem, 1fr)',
      cell: ({ name, description }) => <span title={description ?? name}>{name}</span>,
      sortValue: ({ name }) => name,
    },
    {
      id: 'state',
      header: labels.state,
      width: '8rem',
      cell: (rule) => <RuleState rule={rule} />,
      sortValue: ({ enabled, query_error }) => (query_error === null ? Number(enabled) : 2),
    },
    {
      id: 'priority',
      header: labels.fields.priority,
      width: '6.5rem',
      cell: ({ priority }) => <PriorityBadge priority={priority} />,
      sortValue: ({ priority }) => priorities[priority],
    },
    {
      id: 'kind',
      header: labels.kind,
      width: '7.5rem',
      cell: ({ kind }) => labels.kinds[kind],
      sortValue: ({ kind }) => labels.kinds[kind],
    },
    {
      id: 'category',
      header: labels.fields.category_guid,
      width: 'minmax(7rem, 12rem)',
      cell: ({ category_name }) => category_name ?? '',
      sortValue: ({ category_name }) => category_name ?? undefined,
    },
    {
      id: 'version',
      header: labels.version,
      width: '5rem',
      align: 'end',
      cell: ({ version }) => version,
      sortValue: ({ version }) => version,
    },
    {
      id: 'changed',
      header: labels.changed,
      width: 'minmax(10rem, 14rem)',
      cell: ({ updated, user_name }) => (
        <span>
          <Time at={updated} isRelative /> {labels.changedBy(user_name)}
        </span>
      ),
      sortValue: ({ updated }) => parseStamp(updated),
    },
  ];
  // Beside an open rule there is room for the first ones.
  const columns = openKey === undefined ? all : all.slice(0, 3);
  return (
    <DataTable
      label={pages.rules}
      rows={rules}
      rowKey={keyOfRule}
      columns={columns}
      initialSorting={{ column: 'name', direction: 'ascending' }}
      openKey={openKey}
      {...rest}
    />
  );
}

export function RuleState({ rule }: { readonly rule: Rule }) {
  const { rules: labels } = useLabels();
  if (rule.query_error !== null) return <StatusBadge tone="high">{labels.broken}</StatusBadge>;
  return (
    <StatusBadge tone={rule.enabled ? 'good' : 'neutral'}>{labels.states[rule.enabled ? 'on' : 'off']}</StatusBadge>
  );
}
