// Any number of options, chosen by boxes; long lists are searched.

import { type ReactNode, useId, useState } from 'react';
import { matching } from '#console/filters/text-filter.ts';
import { useLabels } from '#console/labels/labels.tsx';
import styles from './choice-list.module.css';
import { Checkbox, TextField } from './field.tsx';
import type { Option } from './form-field.ts';

interface ChoiceListProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly mistake?: string | undefined;
  readonly options: readonly Option[];
  readonly value: readonly string[];
  onChange(value: readonly string[]): void;
}

const MAX_WITHOUT_SEARCH = 8;
const MAX_SHOWN = 100;

export function ChoiceList({ label, hint, mistake, options, value, onChange }: ChoiceListProps) {
  const { form } = useLabels();
  const id = useId();
  const [sought, setSought] = useState('');
  const note = mistake ?? hint;
  const fitting = matching(options, sought, ({ label: text }) => text);
  // Those that were chosen at the beginning stand first, and nothing moves while boxes are marked.
  const [first] = useState(() => new Set(value));
  const sorted = fitting.toSorted((one, other) => Number(first.has(other.value)) - Number(first.has(one.value)));
  return (
    <fieldset className={styles.choices} {...(note === undefined ? {} : { 'aria-describedby': id })}>
      <legend>
        {label} <span className={styles.count}>{form.chosen(value.length)}</span>
      </legend>
      {options.length > MAX_WITHOUT_SEARCH && (
        <TextField
          label={form.seek(label)}
          isLabelHidden
          placeholder={form.seek(label)}
          value={sought}
          onChange={setSought}
        />
      )}
      {options.length === 0 && <p className={styles.hint}>{form.noOptions}</p>}
      <div className={styles.options}>
        {sorted.slice(0, MAX_SHOWN).map((option) => (
          <Checkbox
            key={option.value}
            label={option.label}
            isChecked={value.includes(option.value)}
            onChange={(isChecked) =>
              onChange(isChecked ? [...value, option.value] : value.filter((chosen) => chosen !== option.value))
            }
          />
        ))}
      </div>
      {sorted.length > MAX_SHOWN && <p className={styles.hint}>{form.furtherOptions(sorted.length - MAX_SHOWN)}</p>}
      {note !== undefined && (
        <p
          id={id}
          className={mistake === undefined ? styles.hint : styles.mistake}
          {...(mistake === undefined ? {} : { role: 'alert' })}
        >
          {note}
        </p>
      )}
    </fieldset>
  );
}
