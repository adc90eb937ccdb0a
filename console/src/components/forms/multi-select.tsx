// A choice of any number of values out of a list, with a field that shortens long lists.

import { useState } from 'react';
import { Button } from '#console/components/button.tsx';
import { Icon } from '#console/components/icon.tsx';
import { Popover } from '#console/components/overlays/popover.tsx';
import popup from '#console/components/overlays/popup.module.css';
import { matching } from '#console/filters/text-filter.ts';
import { useLabels } from '#console/labels/labels.tsx';
import { Checkbox, TextField } from './field.tsx';
import styles from './multi-select.module.css';

interface Option<V extends string> {
  readonly value: V;
  readonly label: string;
}

export interface MultiSelectProps<V extends string> {
  readonly label: string;
  readonly options: readonly Option<V>[];
  readonly chosen: readonly V[];
  readonly isDisabled?: boolean;
  onChange(chosen: readonly V[]): void;
}

/** So many options are shown without a field to search them. */
const MAX_UNSEARCHED = 8;

export function MultiSelect<V extends string>(props: MultiSelectProps<V>) {
  const { label, options, chosen, isDisabled = false, onChange } = props;
  const { common } = useLabels();
  // A chosen value that is no option any more keeps its place, so that it can be taken away.
  const unknown = chosen.filter((value) => !options.some((option) => option.value === value));
  const all = [...options, ...unknown.map((value) => ({ value, label: value }))];
  const first = all.find(({ value }) => value === chosen[0])?.label ?? common.all;
  const text = chosen.length > 1 ? `${first} +${chosen.length - 1}` : first;
  return (
    <Popover
      label={label}
      trigger={
        <button type="button" className={popup.trigger} disabled={isDisabled}>
          <span className={styles.text}>
            {label}: {text}
          </span>
          <Icon name="chevronDown" size={14} />
        </button>
      }
    >
      <Options label={label} options={all} chosen={chosen} onChange={onChange} />
    </Popover>
  );
}

function Options<V extends string>({ label, options, chosen, onChange }: MultiSelectProps<V>) {
  const { common, table } = useLabels();
  const [typed, setTyped] = useState('');
  const shown = matching(options, typed, (option) => option.label);
  return (
    <div className={styles.panel}>
      {options.length > MAX_UNSEARCHED && (
        <TextField
          label={table.find}
          isLabelHidden
          type="search"
          placeholder={table.find}
          value={typed}
          onChange={setTyped}
        />
      )}
      <fieldset className={styles.options}>
        <legend className="visually-hidden">{label}</legend>
        {shown.map((option) => (
          <Checkbox
            key={option.value}
            label={option.label}
            isChecked={chosen.includes(option.value)}
            onChange={(isChecked) =>
              onChange(isChecked ? [...chosen, option.value] : chosen.filter((value) => value !== option.value))
            }
          />
        ))}
        {shown.length === 0 && <p>{common.none}</p>}
      </fieldset>
      {chosen.length > 0 && (
        <Button kind="quiet" size="small" icon="close" onClick={() => onChange([])}>
          {table.clear}
        </Button>
      )}
    </div>
  );
}
