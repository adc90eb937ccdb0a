// A choice of one value out of a list.

import * as RadixSelect from '@radix-ui/react-select';
import { Icon } from '#console/components/icon.tsx';
import styles from '#console/components/overlays/popup.module.css';
import { styleNonce } from '#console/shell/nonce.ts';

export interface SelectProps<V extends string> {
  readonly id?: string;
  readonly describedBy?: string | undefined;
  /** Read aloud; shown where the field beside it says nothing else. */
  readonly label: string;
  readonly value: V;
  readonly options: readonly { readonly value: V; readonly label: string }[];
  readonly isDisabled?: boolean;
  onChange(value: V): void;
}

export const Select = <V extends string>({
  id,
  describedBy,
  label,
  value,
  options,
  isDisabled = false,
  onChange,
}: SelectProps<V>) => (
  // Its values are those of the options.
  <RadixSelect.Root value={value} onValueChange={(next) => onChange(next as V)} disabled={isDisabled}>
    <RadixSelect.Trigger id={id} className={styles.trigger} aria-label={label} aria-describedby={describedBy}>
      <RadixSelect.Value />
      <Icon name="chevronDown" size={14} />
    </RadixSelect.Trigger>
    <RadixSelect.Portal>
      <RadixSelect.Content className={styles.menu} position="popper" sideOffset={4} collisionPadding={8}>
        <RadixSelect.Viewport nonce={styleNonce()}>
          {options.map((option) => (
            <RadixSelect.Item key={option.value} className={styles.item} value={option.value}>
              <RadixSelect.ItemText>{option.label}</RadixSelect.ItemText>
              <RadixSelect.ItemIndicator className={styles.end}>
                <Icon name="check" />
              </RadixSelect.ItemIndicator>
            </RadixSelect.Item>
          ))}
        </RadixSelect.Viewport>
      </RadixSelect.Content>
    </RadixSelect.Portal>
  </RadixSelect.Root>
);
