// The conditions of a stream rule, checked one after the other: each by a template with its arguments, or as query text.

import { Button, IconButton } from '#console/components/button.tsx';
import { Checkbox, Field, TextField } from '#console/components/forms/field.tsx';
import type { Option } from '#console/components/forms/form-field.ts';
import { Select } from '#console/components/forms/select.tsx';
import { TextList } from '#console/components/forms/text-list.tsx';
import { QueryField } from '#console/components/query-editor/query-field.tsx';
import type { Labels } from '#console/labels/en.ts';
import { useLabels } from '#console/labels/labels.tsx';
import styles from '#console/pages/rules/rules.module.css';
import { type ArgumentSpec, type ConditionDraft, FREE_TEXT, newCondition, type Template } from './conditions.ts';

export interface ConditionContext {
  readonly templates: readonly Template[];
  /** Fields of the log schema. */
  readonly fields: readonly string[];
  readonly addressGroups: readonly Option[];
  /** A pipeline whose columns are those of the logs. */
  readonly lead: string;
}

interface ConditionsFieldProps {
  readonly value: readonly ConditionDraft[];
  readonly context: ConditionContext;
  onChange(value: readonly ConditionDraft[]): void;
}

export function ConditionsField({ value, context, onChange }: ConditionsFieldProps) {
  const { rules: labels } = useLabels();
  const nextKey = Math.max(0, ...value.map(({ key }) => key)) + 1;
  return (
    <div className={styles.stack}>
      <ol className={styles.conditions}>
        {value.map((condition, index) => (
          <li key={condition.key}>
            <Condition
              condition={condition}
              index={index}
              count={value.length}
              context={context}
              onChange={(changed) => onChange(value.with(index, { ...condition, ...changed }))}
              onMove={(to) => onChange(value.toSpliced(index, 1).toSpliced(to, 0, condition))}
              onRemove={() => onChange(value.toSpliced(index, 1))}
            />
          </li>
        ))}
      </ol>
      <div>
        <Button size="small" icon="plus" onClick={() => onChange([...value, newCondition(nextKey)])}>
          {labels.addCondition}
        </Button>
      </div>
    </div>
  );
}

interface ConditionProps {
  readonly condition: ConditionDraft;
  readonly index: number;
  readonly count: number;
  readonly context: ConditionContext;
  onChange(changed: Partial<ConditionDraft>): void;
  onMove(to: number): void;
  onRemove(): void;
}

function Condition({ condition, index, count, context, onChange, onMove, onRemove }: ConditionProps) {
  const { rules: labels, common } = useLabels();
  const name = labels.condition(index + 1);
  const template = context.templates.find(({ id }) => id === condition.template_id);
  return (
    <fieldset className={styles.condition}>
      <legend>{name}</legend>
      <div className={styles.toolbar}>
        <Select
          label={`${name}: ${labels.template}`}
          value={String(condition.template_id)}
          options={context.templates.map((one) => ({ value: String(one.id), label: templateText(one, labels) }))}
          onChange={(id) => onChange({ template_id: Number(id), args: {} })}
        />
        {/* Query text says itself what must not hold. */}
        {condition.template_id !== FREE_TEXT && (
          <Checkbox label={labels.invert} isChecked={condition.invert} onChange={(invert) => onChange({ invert })} />
        )}
        <span className={styles.end}>
          <IconButton
            size="small"
            icon="arrowUp"
            label={labels.moveUp}
            disabled={index === 0}
            onClick={() => onMove(index - 1)}
          />
          <IconButton
            size="small"
            icon="arrowDown"
            label={labels.moveDown}
            disabled={index === count - 1}
            onClick={() => onMove(index + 1)}
          />
          <IconButton size="small" icon="trash" label={common.delete} onClick={onRemove} />
        </span>
      </div>
      {condition.template_id === FREE_TEXT ? (
        <QueryField
          label={labels.templates.query}
          placeholder="search status >= 500"
          lead={context.lead}
          text={condition.query}
          onChange={(query) => onChange({ query })}
        />
      ) : (
        <Arguments condition={condition} specs={template?.config_specs ?? []} context={context} onChange={onChange} />
      )}
    </fieldset>
  );
}

/** Templates of a newer service have their own description. */
function templateText({ name, description }: Template, { templates }: Labels['rules']): string {
  const known: Readonly<Record<string, string>> = templates;
  return known[name] ?? description;
}

interface ArgumentsProps {
  readonly condition: ConditionDraft;
  readonly specs: readonly ArgumentSpec[];
  readonly context: ConditionContext;
  onChange(changed: Partial<ConditionDraft>): void;
}

function Arguments({ condition: { key, field_name, args }, specs, context, onChange }: ArgumentsProps) {
  const { rules: labels } = useLabels();
  const list = `fields-of-condition-${key}`;
  return (
    <>
      <TextField
        label={labels.conditionField}
        list={list}
        autoComplete="off"
        value={field_name}
        onChange={(next) => onChange({ field_name: next })}
      />
      <datalist id={list}>
        {context.fields.map((field) => (
          <option key={field} value={field} />
        ))}
      </datalist>
      {specs.map((spec) => (
        <Argument
          key={spec.name}
          spec={spec}
          value={args[spec.name]}
          addressGroups={context.addressGroups}
          onChange={(value) => onChange({ args: { ...args, [spec.name]: value } })}
        />
      ))}
    </>
  );
}

interface ArgumentProps {
  readonly spec: ArgumentSpec;
  readonly value: string | readonly string[] | undefined;
  readonly addressGroups: readonly Option[];
  onChange(value: string | readonly string[]): void;
}

function Argument({ spec, value, addressGroups, onChange }: ArgumentProps) {
  const { rules: labels } = useLabels();
  const { type, subtype, display_name, description } = spec;
  const text = typeof value === 'string' ? value : '';
  if (subtype === 'subnet') {
    const label = labels.fields.address_group_guid;
    return (
      <Field label={label}>
        {(ids) => <Select {...ids} label={label} value={text} options={addressGroups} onChange={onChange} />}
      </Field>
    );
  }
  if (type === 'array') {
    return (
      <Field label={display_name} hint={description}>
        {(ids) => (
          <TextList
            {...ids}
            label={display_name}
            value={Array.isArray(value) ? value : []}
            mistake={undefined}
            onChange={onChange}
          />
        )}
      </Field>
    );
  }
  return <TextField label={display_name} hint={description} autoComplete="off" value={text} onChange={onChange} />;
}
