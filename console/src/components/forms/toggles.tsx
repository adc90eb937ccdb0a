// Buttons that choose any number of values, each with how many things it would leave.

import { Button } from '#console/components/button.tsx';
import { useLanguage } from '#console/labels/labels.tsx';
import { shortNumber } from '#console/time/numbers.ts';
import styles from './toggles.module.css';

export interface TogglesProps<V extends string> {
  readonly label: string;
  readonly options: readonly { readonly id: V; readonly label: string; readonly count?: number | undefined }[];
  readonly chosen: readonly V[];
  onChange(chosen: readonly V[]): void;
}

export function Toggles<V extends string>({ label, options, chosen, onChange }: TogglesProps<V>) {
  const { locale } = useLanguage();
  return (
    <fieldset className={styles.toggles}>
      <legend className="visually-hidden">{label}</legend>
      {options.map(({ id, label: name, count }) => {
        const isChosen = chosen.includes(id);
        return (
          <Button
            key={id}
            size="small"
            kind={isChosen ? 'primary' : 'plain'}
            aria-pressed={isChosen}
            onClick={() => onChange(isChosen ? chosen.filter((other) => other !== id) : [...chosen, id])}
          >
            {name}
            {count !== undefined && <span className={styles.count}>{shortNumber(count, locale)}</span>}
          </Button>
        );
      })}
    </fieldset>
  );
}
