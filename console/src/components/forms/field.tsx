// A field of a form: label, control, hint, mistake.

import { type InputHTMLAttributes, type ReactNode, type Ref, type TextareaHTMLAttributes, useId } from 'react';
import styles from './field.module.css';

interface FieldFrame {
  readonly label: string;
  /** The label is read aloud alone. */
  readonly isLabelHidden?: boolean;
  readonly hint?: ReactNode;
  readonly mistake?: string | undefined;
}

interface FieldProps extends FieldFrame {
  children(ids: { readonly id: string; readonly describedBy: string | undefined }): ReactNode;
}

export function Field({ label, isLabelHidden = false, hint, mistake, children }: FieldProps) {
  const id = useId();
  const note = mistake ?? hint;
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={isLabelHidden ? 'visually-hidden' : styles.label}>
        {label}
      </label>
      {children({ id, describedBy: note === undefined ? undefined : `${id}-note` })}
      {note !== undefined && (
        <p
          id={`${id}-note`}
          className={mistake === undefined ? styles.hint : styles.mistake}
          {...(mistake === undefined ? {} : { role: 'alert' })}
        >
          {note}
        </p>
      )}
    </div>
  );
}

export interface TextFieldProps extends FieldFrame, Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> {
  readonly ref?: Ref<HTMLInputElement> | undefined;
  onChange(value: string): void;
}

export const TextField = ({ label, isLabelHidden = false, hint, mistake, onChange, ref, ...rest }: TextFieldProps) => (
  <Field label={label} isLabelHidden={isLabelHidden} hint={hint} mistake={mistake}>
    {({ id, describedBy }) => (
      <input
        type="text"
        {...rest}
        ref={ref}
        id={id}
        className={styles.input}
        aria-describedby={describedBy}
        aria-invalid={mistake !== undefined}
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
);

export interface TextAreaProps extends FieldFrame, Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange'> {
  onChange(value: string): void;
}

export const TextArea = ({ label, isLabelHidden = false, hint, mistake, onChange, ...rest }: TextAreaProps) => (
  <Field label={label} isLabelHidden={isLabelHidden} hint={hint} mistake={mistake}>
    {({ id, describedBy }) => (
      <textarea
        rows={3}
        {...rest}
        id={id}
        className={`${styles.input} ${styles.area}`}
        aria-describedby={describedBy}
        aria-invalid={mistake !== undefined}
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
);

interface CheckboxProps {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly isChecked: boolean;
  readonly isDisabled?: boolean;
  onChange(isChecked: boolean): void;
}

export const Checkbox = ({ label, isLabelHidden = false, isChecked, isDisabled = false, onChange }: CheckboxProps) => (
  <label className={styles.check}>
    <input
      type="checkbox"
      checked={isChecked}
      disabled={isDisabled}
      onChange={(event) => onChange(event.target.checked)}
    />
    <span className={isLabelHidden ? 'visually-hidden' : undefined}>{label}</span>
  </label>
);
