// A field for the text that a list is searched for. The typed text is asked for once the typing pauses.

import { useEffect, useState } from 'react';
import { TextField } from './field.tsx';

const TYPING_MS = 300;

interface KeywordsFieldProps {
  readonly label: string;
  readonly value: string;
  onChange(keywords: string | undefined): void;
}

export function KeywordsField({ label, value, onChange }: KeywordsFieldProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => onChange(typed === '' ? undefined : typed), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, value, onChange]);
  return <TextField label={label} isLabelHidden type="search" placeholder={label} value={typed} onChange={setTyped} />;
}
