// Buttons: one look, four weights. A button with an icon alone has its label as a tooltip.

import type { ButtonHTMLAttributes, Ref } from 'react';
import styles from './button.module.css';
import { Icon, type IconName } from './icon.tsx';
import { Tooltip } from './overlays/tooltip.tsx';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly size?: 'normal' | 'small';
  readonly icon?: IconName;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function Button({ kind = 'plain', size = 'normal', icon, className, children, ...rest }: ButtonProps) {
  const classes = [styles.button, styles[kind], styles[size], className].filter(Boolean).join(' ');
  return (
    <button type="button" {...rest} className={classes}>
      {icon && <Icon name={icon} />}
      {children !== undefined && <span>{children}</span>}
    </button>
  );
}

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon'> {
  readonly icon: IconName;
  readonly label: string;
  /** False where Escape must act at once: the first one closes a tooltip. */
  readonly hasTooltip?: boolean;
}

export function IconButton({ icon, label, kind = 'quiet', hasTooltip = true, ...rest }: IconButtonProps) {
  const button = (
    <Button
      kind={kind}
      {...rest}
      icon={icon}
      aria-label={label}
      className={[styles.square, rest.className].filter(Boolean).join(' ')}
    />
  );
  return hasTooltip ? <Tooltip text={label}>{button}</Tooltip> : button;
}
