// A form made of a list of typed fields. What the service refuses is shown at the field that the message names, else on top.

import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from '#console/components/button.tsx';
import { Dialog } from '#console/components/overlays/dialog.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import type { Hold, HoldOptions } from '#console/unsaved/holds.ts';
import { isSameValue } from '#console/unsaved/same-value.ts';
import { useUnsaved } from '#console/unsaved/use-unsaved.ts';
import styles from './form.module.css';
import { FormControls } from './form-controls.tsx';
import type { AnyDraft, AnyField, FormField, Mistakes } from './form-field.ts';
import { absentValues, refusalOf } from './form-mistakes.ts';

interface FormOptions<D> {
  readonly fields: readonly FormField<D>[];
  readonly initial: D;
  /** A rejection is shown in the form. */
  onSubmit(draft: D): Promise<void>;
  /** What becomes of the draft when the reader goes elsewhere; without it a question comes before every navigation. */
  readonly unsaved?: HoldOptions;
}

export interface FormState<D> {
  readonly fields: readonly FormField<D>[];
  readonly draft: D;
  readonly mistakes: Mistakes;
  readonly isSending: boolean;
  /** Of what is not saved. */
  readonly hold: Hold;
  change(changed: Partial<D>): void;
  submit(): void;
}

export function useForm<D extends object>({ fields, initial, onSubmit, unsaved }: FormOptions<D>): FormState<D> {
  const labels = useLabels();
  const [draft, setDraft] = useState(initial);
  const [saved, setSaved] = useState(initial);
  const hold = useUnsaved(!isSameValue(draft, saved), unsaved);
  const [mistakes, setMistakes] = useState<Mistakes>({});
  const [isSending, setSending] = useState(false);
  const erased = fields as unknown as readonly AnyField[]; // Their types were checked against those of the draft.
  async function send() {
    const absent = absentValues(erased, draft as AnyDraft, labels);
    setMistakes(absent);
    if (Object.keys(absent).length > 0) return;
    setSending(true);
    try {
      await hold.during(onSubmit(draft));
      setSaved(draft);
    } catch (error) {
      setMistakes(refusalOf(error, erased, labels));
    }
    setSending(false);
  }
  return {
    fields,
    draft,
    mistakes,
    isSending,
    hold,
    change(changed) {
      setDraft((before) => ({ ...before, ...changed }));
      setMistakes((before) => Object.fromEntries(Object.entries(before).filter(([name]) => !(name in changed))));
    },
    submit: () => void send(),
  };
}

export interface FormSection<D> {
  readonly title: string;
  readonly fields: readonly FormField<D>[];
}

interface FormProps<D> {
  /** For a button outside of the form. */
  readonly id?: string;
  readonly form: FormState<D>;
  /** Titled groups of the fields of a long form, whose options may depend on the draft; otherwise all fields follow each other. */
  readonly sections?: readonly FormSection<D>[];
  /** Below the fields: buttons, a preview. */
  readonly children?: ReactNode;
}

export function Form<D extends object>({ id, form, sections, children }: FormProps<D>) {
  const { draft, mistakes, change, submit } = form;
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (Object.keys(mistakes).length > 0) element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [mistakes]);
  const { '': mistake } = mistakes;
  const controls = (fields: readonly FormField<D>[]) => (
    <FormControls
      fields={fields as unknown as readonly AnyField[]} // As above.
      draft={draft as AnyDraft}
      mistakes={mistakes}
      onChange={(name, value) => change({ [name]: value } as Partial<D>)}
    />
  );
  return (
    <form
      ref={element}
      id={id}
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // A form inside of another one by way of a portal must not send both.
        event.stopPropagation();
        submit();
      }}
    >
      {mistake !== undefined && (
        <p className={styles.refusal} role="alert">
          {mistake}
        </p>
      )}
      {sections
        ? sections.map(({ title, fields }) => (
            <fieldset key={title} className={styles.section}>
              <legend>{title}</legend>
              {controls(fields)}
            </fieldset>
          ))
        : controls(form.fields)}
      {children}
    </form>
  );
}

interface FormDialogProps<D> extends Omit<FormOptions<D>, 'unsaved'> {
  readonly title: string;
  readonly description?: string;
  readonly isWide?: boolean;
  /** May follow what is chosen. */
  readonly submitLabel?: string | ((draft: D) => string);
  /** Below the fields. */
  children?(draft: D): ReactNode;
  onClose(): void;
}

export function FormDialog<D extends object>({
  title,
  description,
  isWide = false,
  submitLabel,
  children,
  onClose,
  ...options
}: FormDialogProps<D>) {
  const { common } = useLabels();
  const id = useId();
  const form = useForm({ ...options, unsaved: { onDiscarded: onClose } });
  const close = async () => {
    if (await form.hold.mayDiscard()) onClose();
  };
  return (
    <Dialog
      isOpen
      onClose={() => void close()}
      title={title}
      {...(description === undefined ? {} : { description })}
      isWide={isWide}
      footer={
        <>
          <Button onClick={() => void close()}>{common.cancel}</Button>
          <Button kind="primary" type="submit" form={id} disabled={form.isSending}>
            {typeof submitLabel === 'function' ? submitLabel(form.draft) : (submitLabel ?? common.save)}
          </Button>
        </>
      }
    >
      <Form id={id} form={form}>
        {children?.(form.draft)}
      </Form>
    </Dialog>
  );
}
