// A list of texts: each can be taken out, further ones are typed or pasted.

import { type ClipboardEvent, type KeyboardEvent, useState } from 'react';
import { IconButton } from '#console/components/button.tsx';
import { useEscapeLayer } from '#console/components/overlays/escape-layers.ts';
import { useLabels } from '#console/labels/labels.tsx';
import { useUnsaved } from '#console/unsaved/use-unsaved.ts';
import fieldStyles from './field.module.css';
import type { ControlProps } from './form-field.ts';
import styles from './text-list.module.css';

interface TextListProps extends ControlProps<readonly string[]> {
  readonly label: string;
  readonly placeholder?: string | undefined;
}

export function TextList({ id, describedBy, label, placeholder, value, mistake, onChange }: TextListProps) {
  const { form } = useLabels();
  const [typed, setTyped] = useState('');
  const add = (text: string) => {
    const further = text.split(/[\n,]/).map((part) => part.trim());
    onChange([...new Set([...value, ...further.filter((part) => part !== '')])]);
    setTyped('');
  };
  const hasTyped = typed.trim() !== '';
  useUnsaved(hasTyped);
  // As below: Escape adds the text, so that the draft has it when the form asks what becomes of it.
  useEscapeLayer(() => {
    if (hasTyped) add(typed);
    return hasTyped;
  });
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key !== 'Enter' || !hasTyped) return;
    event.preventDefault();
    add(typed);
  }
  function onPaste(event: ClipboardEvent<HTMLInputElement>) {
    const text = event.clipboardData.getData('text/plain');
    if (!/[\n,]/.test(text)) return;
    event.preventDefault();
    add(typed + text);
  }
  return (
    <div className={styles.list}>
      {value.length > 0 && (
        <ul aria-label={label}>
          {value.map((text) => (
            <li key={text} className={styles.item}>
              <span>{text}</span>
              <IconButton
                size="small"
                icon="close"
                label={form.takeOut(text)}
                onClick={() => onChange(value.filter((other) => other !== text))}
              />
            </li>
          ))}
        </ul>
      )}
      <input
        id={id}
        className={fieldStyles.input}
        aria-describedby={describedBy}
        aria-invalid={mistake !== undefined}
        autoComplete="off"
        placeholder={placeholder ?? form.addText}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        // A text that was typed and not added is meant all the same.
        onBlur={() => hasTyped && add(typed)}
      />
    </div>
  );
}
