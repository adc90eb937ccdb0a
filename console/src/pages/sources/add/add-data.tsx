// 'Add data' in four steps: the kind of sender, the parser with a preview, the table, and what is pasted at the sender.

import { useAccount } from '#console/client/session.ts';
import { Button } from '#console/components/button.tsx';
import { PageFrame, Panel } from '#console/components/page-frame.tsx';
import { EmptyState } from '#console/components/states.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { type SourcesSearch, STEPS, type Step } from '#console/pages/sources/sources-search.ts';
import { isAtLeast } from '#contract/values.ts';
import styles from './add.module.css';
import { KindStep } from './kind-step.tsx';
import { ParserStep } from './parser-step.tsx';
import { SendStep } from './send-step.tsx';
import { TableStep } from './table-step.tsx';

interface AddDataProps {
  readonly search: SourcesSearch;
  readonly step: Step;
  onChange(changed: SourcesSearch): void;
  onLeave(): void;
}

export function AddData({ search, step, onChange, onLeave }: AddDataProps) {
  const { sources: labels, common, shell, roles } = useLabels();
  const { role_name } = useAccount();
  const isPermitted = isAtLeast(role_name, 'ADMIN');
  return (
    <PageFrame
      title={labels.addData}
      controls={
        <Button icon="close" onClick={onLeave}>
          {common.cancel}
        </Button>
      }
    >
      {isPermitted ? (
        <>
          <StepList step={step} onGo={(add) => onChange({ add })} />
          <Panel title={labels.steps[step]}>
            <StepContent search={search} step={step} onChange={onChange} onLeave={onLeave} />
          </Panel>
        </>
      ) : (
        <EmptyState
          icon="user"
          title={shell.forbiddenTitle}
          text={shell.forbiddenText(roles.ADMIN, roles[role_name])}
        />
      )}
    </PageFrame>
  );
}

/** Steps that were done can be gone back to. */
function StepList({ step, onGo }: { readonly step: Step; onGo(step: Step): void }) {
  const { sources: labels } = useLabels();
  const current = STEPS.indexOf(step);
  return (
    <ol className={styles.steps}>
      {STEPS.map((one, index) => (
        <li key={one} {...(one === step ? { 'aria-current': 'step' } : {})}>
          <Button
            kind={one === step ? 'primary' : 'plain'}
            size="small"
            disabled={index > current}
            onClick={() => onGo(one)}
          >
            {index + 1}. {labels.steps[one]}
          </Button>
        </li>
      ))}
    </ol>
  );
}

function StepContent({ search, step, onChange, onLeave }: AddDataProps) {
  const { kind, parser, table, logger } = search;
  if (step === 'kind' || kind === undefined) {
    return <KindStep chosen={kind} onChoose={(next) => onChange({ kind: next, parser: undefined, add: 'parser' })} />;
  }
  if (step === 'parser' || parser === undefined) {
    return (
      <ParserStep
        key={kind}
        kind={kind}
        chosen={parser}
        onChoose={(next) => onChange({ parser: next, add: 'table' })}
      />
    );
  }
  if (step === 'table' || table === undefined) {
    return (
      <TableStep
        kind={kind}
        parser={parser}
        chosen={table}
        onDone={(made) => onChange({ table: made.table, logger: made.logger, add: 'send' })}
      />
    );
  }
  return <SendStep kind={kind} parser={parser} table={table} logger={logger} onDone={onLeave} />;
}
