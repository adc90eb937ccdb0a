// A filter of a list: one value, or any.

import { Select, type SelectProps } from './select.tsx';

interface FilterSelectProps<V extends string> extends Pick<SelectProps<V>, 'label' | 'options'> {
  readonly anyLabel: string;
  readonly value: V | undefined;
  onChange(value: V | undefined): void;
}

/** A list of choices has no empty value of its own. */
const ANY = 'any';

export const FilterSelect = <V extends string>({ label, anyLabel, value, options, onChange }: FilterSelectProps<V>) => (
  <Select<V | typeof ANY>
    label={label}
    value={value ?? ANY}
    options={[{ value: ANY, label: anyLabel }, ...options]}
    // Only the first option means any.
    onChange={(next) => onChange(next === ANY ? undefined : (next as V))}
  />
);
