// Filters of the list: the labels of the audit catalogue, users, addresses, companies and text.

import { useAnswer } from '#console/client/answers.ts';
import { KeywordsField } from '#console/components/forms/keywords-field.tsx';
import { MultiSelect } from '#console/components/forms/multi-select.tsx';
import { Select } from '#console/components/forms/select.tsx';
import { boundFilters } from '#console/filters/bound-filters.ts';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import styles from './audit.module.css';
import type { AuditEntry, AuditSearch } from './audit-search.ts';
import { actionOptions, categoryOptions } from './code-labels.ts';

interface AuditFiltersProps {
  readonly search: AuditSearch;
  readonly entries: readonly AuditEntry[];
  onChange(changed: AuditSearch): void;
}

export function AuditFilters({ search, entries, onChange }: AuditFiltersProps) {
  const { audit: labels } = useLabels();
  const { locale } = useLanguage();
  const users = useAnswer('GET /api/core/users', {});
  const companies = useAnswer('GET /api/core/companies', {});
  const { categories = [], company } = search;
  const filters = boundFilters(search, onChange);
  return (
    <div className={styles.filters}>
      <KeywordsField label={labels.keywords} {...filters.one('keywords')} />
      <MultiSelect
        label={labels.category}
        options={categoryOptions(locale)}
        chosen={categories}
        onChange={(chosen) => onChange({ categories: chosen, actions: [] })}
      />
      <MultiSelect label={labels.action} options={actionOptions(locale, categories)} {...filters.many('actions')} />
      <OneOrAll
        label={labels.user}
        all={labels.anyUser}
        values={[...(users.data?.users ?? []).map(({ login }) => login), ...entries.map(({ user_name }) => user_name)]}
        {...filters.one('user')}
      />
      <OneOrAll
        label={labels.address}
        all={labels.anyAddress}
        values={entries.map(({ remote_ip }) => remote_ip)}
        {...filters.one('address')}
      />
      {(companies.data?.companies.length ?? 0) > 1 && (
        <MultiSelect
          label={labels.company}
          options={(companies.data?.companies ?? []).map(({ guid, name }) => ({ value: guid, label: String(name) }))}
          chosen={company === undefined ? [] : [company]}
          onChange={(chosen) => onChange({ company: chosen.at(-1) })}
        />
      )}
    </div>
  );
}

interface OneOrAllProps {
  readonly label: string;
  readonly all: string;
  readonly value: string | undefined;
  /** In any order and number. */
  readonly values: readonly string[];
  onChange(value: string | undefined): void;
}

/** No login name and no address is one blank. */
const ALL = ' ';

function OneOrAll({ label, all, value, values, onChange }: OneOrAllProps) {
  const known = [...new Set([...values, ...(value === undefined ? [] : [value])])].filter((text) => text !== '').sort();
  return (
    <Select
      label={label}
      value={value ?? ALL}
      options={[{ value: ALL, label: all }, ...known.map((text) => ({ value: text, label: text }))]}
      onChange={(chosen) => onChange(chosen === ALL ? undefined : chosen)}
    />
  );
}
