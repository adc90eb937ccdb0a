// The controls of a form: one for each kind of field.

import { type ReactNode, useId, useState } from 'react';
import { Button, IconButton } from '#console/components/button.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { momentOf } from '#console/time/moments.ts';
import { wallClockOf } from '#console/time/ranges.ts';
import { useZone } from '#console/time/time.tsx';
import { ChoiceList } from './choice-list.tsx';
import { Checkbox, Field, TextArea, TextField } from './field.tsx';
import styles from './form.module.css';
import type { AnyDraft, AnyField, ControlProps, Mistakes } from './form-field.ts';
import { shownFields } from './form-mistakes.ts';
import { Select } from './select.tsx';
import { TextList } from './text-list.tsx';

interface FormControlsProps {
  readonly fields: readonly AnyField[];
  readonly draft: AnyDraft;
  readonly mistakes: Mistakes;
  onChange(name: string, value: unknown): void;
}

export const FormControls = ({ fields, draft, mistakes, onChange }: FormControlsProps) =>
  shownFields(fields, draft).map((field) => (
    <FormControl
      key={field.name}
      field={field}
      value={draft[field.name]}
      mistake={mistakes[field.name]}
      onChange={(value) => onChange(field.name, value)}
    />
  ));

interface FormControlProps {
  readonly field: AnyField;
  readonly value: unknown;
  readonly mistake: string | undefined;
  onChange(value: unknown): void;
}

type FieldOf<K extends AnyField['kind']> = Extract<AnyField, { kind: K }>;

// The type of a draft says that the value of a field has the type of its kind.
function FormControl({ field, value, mistake, onChange }: FormControlProps): ReactNode {
  const { label, hint } = field;
  const frame = { label, hint, mistake };
  switch (field.kind) {
    case 'text':
      return <TextControl field={field} value={value as string} mistake={mistake} onChange={onChange} />;
    case 'secret':
      return <SecretControl field={field} value={value as string} mistake={mistake} onChange={onChange} />;
    case 'number':
      return <NumberControl field={field} value={value as number | undefined} mistake={mistake} onChange={onChange} />;
    case 'moment':
      return <MomentControl field={field} value={value as number | undefined} mistake={mistake} onChange={onChange} />;
    case 'choice':
      return (
        <Field {...frame}>
          {(ids) => (
            <ChoiceControl {...ids} field={field} value={value as string} mistake={mistake} onChange={onChange} />
          )}
        </Field>
      );
    case 'switch':
      return (
        <div>
          <Checkbox label={label} isChecked={value === true} onChange={onChange} />
          <Note hint={hint} mistake={mistake} />
        </div>
      );
    case 'texts':
      return (
        <Field {...frame}>
          {(ids) => (
            <TextList
              {...ids}
              label={label}
              placeholder={field.placeholder}
              value={value as readonly string[]}
              mistake={mistake}
              onChange={onChange}
            />
          )}
        </Field>
      );
    case 'choices':
      return <ChoiceList {...frame} options={field.options} value={value as readonly string[]} onChange={onChange} />;
    case 'rows':
      return <RowsControl field={field} value={value as readonly AnyDraft[]} mistake={mistake} onChange={onChange} />;
    case 'own':
      return <Field {...frame}>{(ids) => field.control({ ...ids, value, mistake, onChange })}</Field>;
  }
}

type Control<K extends AnyField['kind'], V> = Omit<ControlProps<V>, 'id' | 'describedBy'> & {
  readonly field: FieldOf<K>;
};

function TextControl({ field, value, mistake, onChange }: Control<'text', string>) {
  const { label, hint, isLong, maxLength, placeholder, suggestions, isRequired = false } = field;
  const list = useId();
  const given = { label, hint, mistake, maxLength, placeholder, value, 'aria-required': isRequired, onChange };
  if (isLong) return <TextArea {...given} />;
  return (
    <>
      <TextField {...given} autoComplete="off" {...(suggestions ? { list } : {})} />
      {suggestions && (
        <datalist id={list}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
    </>
  );
}

function SecretControl({ field, value, mistake, onChange }: Control<'secret', string>) {
  const { form } = useLabels();
  const { label, hint, isStored = false, maxLength, isRequired = false } = field;
  return (
    <TextField
      type="password"
      autoComplete="new-password"
      label={label}
      hint={hint ?? (isStored ? form.secretKept : form.secretOnce)}
      mistake={mistake}
      maxLength={maxLength}
      placeholder={isStored ? form.secretStored : undefined}
      aria-required={isRequired}
      value={value}
      onChange={onChange}
    />
  );
}

function NumberControl({ field, value, mistake, onChange }: Control<'number', number | undefined>) {
  const { label, hint, min, max, isRequired = false } = field;
  return (
    <TextField
      type="number"
      inputMode="numeric"
      label={label}
      hint={hint}
      mistake={mistake}
      min={min}
      max={max}
      aria-required={isRequired}
      value={value ?? ''}
      onChange={(text) => onChange(text === '' ? undefined : Number(text))}
    />
  );
}

function MomentControl({ field, value, mistake, onChange }: Control<'moment', number | undefined>) {
  const zone = useZone();
  // While a time is being typed it is none yet.
  const [text, setText] = useState(() => (value === undefined ? '' : wallClockOf(value, zone)));
  return (
    <TextField
      type="datetime-local"
      label={field.label}
      hint={field.hint ?? zone}
      mistake={mistake}
      value={text}
      onChange={(next) => {
        setText(next);
        onChange(next === '' ? undefined : momentOf(next, zone));
      }}
    />
  );
}

/** A list of choices has no empty value of its own. */
const NONE = ' ';

function ChoiceControl({ field, value, id, describedBy, onChange }: Control<'choice', string> & ControlProps<string>) {
  const { label, options, noneLabel } = field;
  const none = noneLabel === undefined ? [] : [{ value: NONE, label: noneLabel }];
  return (
    <Select
      id={id}
      describedBy={describedBy}
      label={label}
      value={value === '' && noneLabel !== undefined ? NONE : value}
      options={[...none, ...options]}
      onChange={(next) => onChange(next === NONE ? '' : next)}
    />
  );
}

function RowsControl({ field, value, mistake, onChange }: Control<'rows', readonly AnyDraft[]>) {
  const { common } = useLabels();
  const { label, hint, fields, empty, addLabel } = field;
  return (
    <fieldset className={styles.rows}>
      <legend>{label}</legend>
      {value.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: Rows have no names of their own; their places are what they are.
        <div key={index} className={styles.row}>
          <FormControls
            fields={fields}
            draft={row}
            mistakes={{}}
            onChange={(name, changed) => onChange(value.with(index, { ...row, [name]: changed }))}
          />
          <IconButton
            size="small"
            icon="trash"
            label={`${common.delete} ${index + 1}`}
            onClick={() => onChange(value.toSpliced(index, 1))}
          />
        </div>
      ))}
      <Note hint={hint} mistake={mistake} />
      <Button size="small" icon="plus" onClick={() => onChange([...value, empty])}>
        {addLabel}
      </Button>
    </fieldset>
  );
}

/** Below controls that have no frame of a field. */
function Note({ hint, mistake }: { readonly hint: ReactNode; readonly mistake: string | undefined }) {
  if (mistake === undefined) return hint === undefined ? undefined : <p className={styles.hint}>{hint}</p>;
  return (
    <p className={styles.mistake} role="alert">
      {mistake}
    </p>
  );
}
