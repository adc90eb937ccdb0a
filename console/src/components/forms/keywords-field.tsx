// Keywords of a list. What is typed is asked for once the typing pauses.

import { type Ref, useEffect, useRef, useState } from 'react';
import { TextField } from './field.tsx';
import styles from './keywords-field.module.css';

interface KeywordsFieldProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly ref?: Ref<HTMLInputElement>;
  onChange(keywords: string | undefined): void;
}

const TYPING_MS = 300;

export function KeywordsField({ label, value = '', ref, onChange }: KeywordsFieldProps) {
  const [typed, setTyped] = useState(value);
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => latest.current(typed === '' ? undefined : typed), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, value]);
  return (
    <div className={styles.keywords}>
      <TextField
        ref={ref}
        label={label}
        isLabelHidden
        type="search"
        placeholder={label}
        value={typed}
        onChange={setTyped}
      />
    </div>
  );
}
