// The editor of a rule, with a test or a trial of what is being written beside it.

import { useId } from 'react';
import type { RequestFor } from '#client/call.ts';
import { useAnswer } from '#console/client/answers.ts';
import { call } from '#console/client/call.ts';
import { useAccount } from '#console/client/session.ts';
import { Button } from '#console/components/button.tsx';
import { Form, useForm } from '#console/components/forms/form.tsx';
import { showToast } from '#console/components/overlays/toast.tsx';
import { PageFrame, Panel } from '#console/components/page-frame.tsx';
import { EmptyState, Failed, Loading } from '#console/components/states.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import type { FieldsOfRule } from '#console/pages/rules/rule-values.ts';
import styles from '#console/pages/rules/rules.module.css';
import type { ChangeProps, Rule, RuleKind } from '#console/pages/rules/rules-search.ts';
import { StreamTest } from '#console/pages/rules/test/stream-test.tsx';
import { BatchTrial, useDatasetQuery } from '#console/pages/rules/trial/batch-trial.tsx';
import { useMayChange, useRule, useRuleRefresh } from '#console/pages/rules/use-rules.ts';
import { isAt } from '#console/unsaved/holds.ts';
import { commandsOf } from './conditions.ts';
import { draftOf, newDraft, type RuleDraft, requestOf } from './draft.ts';
import { sectionsOf } from './rule-form-fields.tsx';
import { useReferences } from './use-references.ts';

export function RuleEditor({ search, onChange }: ChangeProps) {
  const { shell, roles } = useLabels();
  const { role_name } = useAccount();
  const { rule, of = 'stream' } = search;
  if (!useMayChange()) {
    return (
      <EmptyState icon="user" title={shell.forbiddenTitle} text={shell.forbiddenText(roles.ADMIN, roles[role_name])} />
    );
  }
  if (rule === undefined) return <Editor kind={of} rule={undefined} from={undefined} onChange={onChange} />;
  return <StoredRule kind={of} guid={rule} search={search} onChange={onChange} />;
}

/** The rule as it stands, or one of its versions. */
function StoredRule({
  kind,
  guid,
  search: { base },
  onChange,
}: ChangeProps & { readonly kind: RuleKind; readonly guid: string }) {
  const { rules: labels } = useLabels();
  const { rule, isGone, error } = useRule(kind, guid);
  const version = useAnswer(
    `GET /api/core/${kind}-rules/:guid/versions/:version` as const,
    { guid, version: base ?? 0 },
    { isEnabled: base !== undefined },
  );
  const from: FieldsOfRule | undefined = base === undefined ? rule : version.data?.version.rule;
  if (isGone) return <EmptyState icon="rules" title={labels.gone} text={labels.goneText} />;
  // A failed repetition must not take away what is being edited.
  if (rule && from) return <Editor kind={kind} rule={rule} from={from} base={base} onChange={onChange} />;
  const failure = error ?? version.error;
  return failure ? <Failed error={failure} /> : <Loading lines={8} />;
}

interface EditorProps extends Pick<ChangeProps, 'onChange'> {
  readonly kind: RuleKind;
  /** Undefined for a new one. */
  readonly rule: Rule | undefined;
  /** What the editor begins with. */
  readonly from: FieldsOfRule | undefined;
  readonly base?: number | undefined;
}

function Editor({ kind, rule, from, base, onChange }: EditorProps) {
  const labels = useLabels();
  const { rules, common } = labels;
  const id = useId();
  const refresh = useRuleRefresh();
  const initial = from ? draftOf(from, rule?.enabled ?? false) : newDraft();
  const references = useReferences(kind, from ?? {});
  const form = useForm<RuleDraft>({
    // Their names and which are required; the options below follow what is chosen.
    fields: sectionsOf(kind, {
      labels,
      references,
      conditions: { templates: [], fields: [], addressGroups: [], lead: '' },
      lead: undefined,
    }).flatMap(({ fields }) => fields),
    initial: base === undefined ? initial : { ...initial, comment: rules.basedOn(base) },
    async onSubmit(draft) {
      const guid = await save(kind, rule?.guid, draft);
      showToast(rules.saved(draft.name));
      refresh();
      onChange({ edit: undefined, base: undefined, rule: guid, of: kind });
    },
    unsaved: { staysAt: (next) => isAt(next, '/rules', { edit: true, of: kind, rule: rule?.guid, base }) },
  });
  const context = useEditingContext(form.draft, references);
  return (
    <PageFrame
      title={rule ? rules.editing(rule.name) : rules[kind === 'stream' ? 'addStream' : 'addBatch']}
      controls={
        <>
          <Button onClick={() => onChange({ edit: undefined, base: undefined })}>{common.cancel}</Button>
          <Button kind="primary" type="submit" form={id} disabled={form.isSending}>
            {common.save}
          </Button>
        </>
      }
    >
      <div className={styles.editor}>
        <Panel>
          <Form id={id} form={form} sections={sectionsOf(kind, { labels, references, ...context })} />
        </Panel>
        <Panel title={rules.tabs[kind === 'stream' ? 'test' : 'trial']} className={styles.beside}>
          {kind === 'stream' ? (
            <StreamTest
              subject={{ schema_code: form.draft.schema_code || null, commands: commandsOf(form.draft.commands) }}
            />
          ) : (
            <BatchTrial subject={trialOf(form.draft)} />
          )}
        </Panel>
      </div>
    </PageFrame>
  );
}

/** What the controls need to know of the draft: the columns that a text continues, the fields of the schema. */
function useEditingContext(draft: RuleDraft, { schemas, address_group_guid }: ReturnType<typeof useReferences>) {
  const { schema_code, dataset_guid } = draft;
  const templates = useAnswer('GET /api/core/stream-rule-command-templates', {}).data?.templates ?? [];
  const tables = useAnswer('GET /api/core/tables', { schema_code }, { isEnabled: schema_code !== '' });
  const dataset = useDatasetQuery(dataset_guid === '' ? null : dataset_guid);
  const schema = schemas.find(({ code }) => code === schema_code);
  const table = tables.data?.tables[0]?.table_name;
  return {
    // Of a dataset that the reader may not read nothing is known.
    lead: dataset_guid === '' ? undefined : (dataset ?? ANYTHING),
    conditions: {
      templates,
      fields: namesOf(schema?.fields),
      addressGroups: address_group_guid,
      lead: table === undefined ? ANYTHING : `table ${table}`,
    },
  };
}

/** Of the fields of a log schema. */
const namesOf = (fields: unknown): readonly string[] =>
  Array.isArray(fields) ? fields.flatMap(({ name }) => (typeof name === 'string' ? [name] : [])) : [];

const ANYTHING = 'json "{}"';

const trialOf = ({ dataset_guid, datetrunc, ...draft }: RuleDraft) => ({
  ...draft,
  dataset_guid: dataset_guid === '' ? null : dataset_guid,
  datetrunc: datetrunc === '' ? undefined : Number(datetrunc),
});

type Created = RequestFor<`POST /api/core/${RuleKind}-rules`>;
type Updated = RequestFor<`PUT /api/core/${RuleKind}-rules/:guid`>;

/** The draft has the fields of both kinds; a request has those of its own, which the type of the draft does not tell. */
async function save(kind: RuleKind, guid: string | undefined, draft: RuleDraft): Promise<string> {
  const fields: object = requestOf(kind, draft);
  if (guid === undefined) return (await call(`POST /api/core/${kind}-rules` as const, fields as Created)).guid;
  await call(`PUT /api/core/${kind}-rules/:guid` as const, { guid, ...fields } as Updated);
  return guid;
}
