// Rules of both kinds: a list with filters, one of them with its test, its versions and its hits, and the editor.

import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useAddress } from '#console/address/use-address.ts';
import { Aged } from '#console/components/aged.tsx';
import { Button } from '#console/components/button.tsx';
import { PageFrame } from '#console/components/page-frame.tsx';
import { RecordColumns } from '#console/components/record-panel.tsx';
import { EmptyState, Failed, Loading } from '#console/components/states.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { lazyPart } from '#console/loading/lazy-part.tsx';
import { useShortcut } from '#console/shell/shortcuts.tsx';
import { numberText } from '#console/time/numbers.ts';
import { RuleActions } from './rule-actions.tsx';
import { RuleDetail } from './rule-detail.tsx';
import { RuleFilters } from './rule-filters.tsx';
import { keyOfRule, RuleList } from './rule-list.tsx';
import styles from './rules.module.css';
import { type ChangeProps, CLOSED, type RulesSearch } from './rules-search.ts';
import { useMayChange, useRules } from './use-rules.ts';

const RuleEditor = lazyPart(() => import('./editor/rule-editor.tsx'), 'RuleEditor');

const route = getRouteApi('/rules');

export function Rules() {
  const { search, change } = useAddress<RulesSearch>(route, ['rule', 'edit']);
  if (!search.edit) return <RulesPage search={search} onChange={change} />;
  return <RuleEditor key={`${search.rule} ${search.base}`} search={search} onChange={change} />;
}

function RulesPage({ search, onChange }: ChangeProps) {
  const { pages, rules: labels, common } = useLabels();
  const mayChange = useMayChange();
  const close = () => onChange(CLOSED);
  useShortcut('escape', common.close, close, 'page');
  return (
    <PageFrame
      title={pages.rules}
      fills
      controls={
        mayChange && (
          <>
            <Button icon="plus" onClick={() => onChange({ ...CLOSED, of: 'stream', edit: true })}>
              {labels.addStream}
            </Button>
            <Button icon="plus" onClick={() => onChange({ ...CLOSED, of: 'batch', edit: true })}>
              {labels.addBatch}
            </Button>
          </>
        )
      }
    >
      <RuleFilters search={search} onChange={onChange} />
      <Columns search={search} onChange={onChange} />
    </PageFrame>
  );
}

function Columns({ search, onChange }: ChangeProps) {
  const { rules: labels } = useLabels();
  const { locale } = useLanguage();
  const mayChange = useMayChange();
  const { answers, rules, total, error, readMore } = useRules(search);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const targets = rules?.filter((rule) => selected.has(keyOfRule(rule))) ?? [];
  const open =
    search.rule !== undefined && search.of !== undefined ? { kind: search.of, guid: search.rule } : undefined;
  const openKey = open && keyOfRule(open);
  return (
    <>
      <div className={styles.toolbar} role="toolbar" aria-label={labels.chosen(targets.length)}>
        <span className={styles.note} aria-live="polite">
          {targets.length === 0 ? labels.total(numberText(total, locale)) : labels.chosen(targets.length)}
        </span>
        {targets.length > 0 && <RuleActions targets={targets} onRemoved={() => setSelected(new Set())} />}
      </div>
      <RecordColumns
        isWide
        list={
          rules ? (
            <Aged answers={answers}>
              <RuleList
                rules={rules}
                openKey={openKey}
                {...(mayChange ? { selection: { keys: selected, onChange: setSelected } } : {})}
                onOpen={(rule) =>
                  onChange(keyOfRule(rule) === openKey ? CLOSED : { ...CLOSED, rule: rule.guid, of: rule.kind })
                }
                onEnd={readMore}
                empty={<EmptyState icon="rules" title={labels.emptyTitle} text={labels.emptyText} />}
              />
            </Aged>
          ) : error ? (
            <Failed error={error} />
          ) : (
            <Loading lines={8} />
          )
        }
        record={open && <RuleDetail key={openKey} {...open} search={search} onChange={onChange} />}
      />
    </>
  );
}
