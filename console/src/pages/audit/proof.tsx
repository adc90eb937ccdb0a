// The proof of the trail: which entries are under a signature, from when to when, and what is not covered.

import { useEffect, useState } from 'react';
import type { AnswerFor } from '#client/call.ts';
import { useAnswer } from '#console/client/answers.ts';
import { Panel } from '#console/components/page-frame.tsx';
import { Fact, Facts } from '#console/components/record-panel.tsx';
import { Answered } from '#console/components/states.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { numberText } from '#console/time/numbers.ts';
import { Time } from '#console/time/time.tsx';
import styles from './audit.module.css';
import { SignatureCheck } from './signature-check.tsx';
import { type Checkpoint, fingerprintOf } from './signatures.ts';

type ProofAnswer = AnswerFor<'GET /api/core/audit-logs/proof'>;

const SHOWN = 20;
const PROOF = 'GET /api/core/audit-logs/proof';

export function Proof() {
  const first = useAnswer(PROOF, { limit: SHOWN });
  const total = first.data?.total_count ?? 0;
  // Checkpoints are listed from the oldest on.
  const newest = useAnswer(PROOF, { offset: total - SHOWN, limit: SHOWN }, { isEnabled: total > SHOWN });
  return (
    <Answered answer={total > SHOWN ? newest : first} lines={8}>
      {(proof) => <Content proof={proof} />}
    </Answered>
  );
}

function Content({ proof }: { readonly proof: ProofAnswer }) {
  const { audit: labels } = useLabels();
  const { locale } = useLanguage();
  const newest = proof.checkpoints.at(-1);
  return (
    <div className={styles.proof}>
      <Signed proof={proof} newest={newest} />
      <Waiting proof={proof} signedTo={newest?.id ?? 0} />
      <Panel title={labels.uncovered}>
        <p>{labels.uncoveredText}</p>
        <p className={styles.note}>{labels.proofNote}</p>
      </Panel>
      <Key proof={proof} />
      {newest && (
        <Panel title={labels.checkpoints} className={styles.wide}>
          <p className={styles.note}>{labels.checkpointCount(numberText(proof.total_count, locale))}</p>
          <Checkpoints proof={proof} />
        </Panel>
      )}
    </div>
  );
}

function Signed({ proof, newest }: { readonly proof: ProofAnswer; readonly newest: Checkpoint | undefined }) {
  const { audit: labels } = useLabels();
  const { locale } = useLanguage();
  // The oldest entry is the last one of the list, which begins with the newest.
  const oldest = useAnswer('GET /api/core/audit-logs', { offset: Math.max(0, proof.head.id - 1), limit: 1 });
  const began = oldest.data?.audit_logs.at(-1)?.created_at;
  if (!newest) {
    return (
      <Panel title={labels.signed}>
        <p>{labels.waitingAll}</p>
      </Panel>
    );
  }
  return (
    <Panel title={labels.signed}>
      <p>{labels.signedText(numberText(newest.id, locale))}</p>
      <Facts>
        <Fact name={labels.period}>
          {began !== undefined && <Time at={began} />} – <Time at={newest.created_at} />
        </Fact>
        <Fact name={labels.signedAt}>
          <Time at={newest.created_at} isRelative />
        </Fact>
        <Fact name={labels.check}>
          <SignatureCheck checkpoint={newest} publicKeys={proof.public_keys} />
        </Fact>
      </Facts>
      <p className={styles.note}>{labels.fullCheck}</p>
      <pre className={styles.command}>vigil audit verify</pre>
    </Panel>
  );
}

function Waiting({ proof: { head }, signedTo }: { readonly proof: ProofAnswer; readonly signedTo: number }) {
  const { audit: labels } = useLabels();
  const { locale } = useLanguage();
  return (
    <Panel title={labels.waiting}>
      {head.id > signedTo ? (
        <p>{labels.waitingText(numberText(signedTo + 1, locale), numberText(head.id, locale))}</p>
      ) : (
        <p>{labels.waitingNone}</p>
      )}
      <Facts>
        <Fact name={labels.head}>
          {numberText(head.id, locale)}, <Time at={head.created_at} />
        </Fact>
        <Fact name={labels.hash}>
          <code>{head.hash}</code>
        </Fact>
      </Facts>
    </Panel>
  );
}

function Key({ proof: { public_key, algorithm } }: { readonly proof: ProofAnswer }) {
  const { audit: labels } = useLabels();
  const [fingerprint, setFingerprint] = useState<string>();
  useEffect(() => void fingerprintOf(public_key).then(setFingerprint), [public_key]);
  return (
    <Panel title={labels.key}>
      <Facts>
        <Fact name={algorithm}>
          <code>{public_key}</code>
        </Fact>
        <Fact name={labels.fingerprint}>
          <code>{fingerprint ?? labels.uncheckable}</code>
        </Fact>
      </Facts>
      <p className={styles.note}>{labels.keyNote}</p>
    </Panel>
  );
}

function Checkpoints({ proof: { checkpoints, public_keys } }: { readonly proof: ProofAnswer }) {
  const { audit: labels } = useLabels();
  const { locale } = useLanguage();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: A part that scrolls must be reached by the keyboard.
    <section className={styles.scroller} tabIndex={0} aria-label={labels.checkpoints}>
      <table className={styles.changes}>
        <thead>
          <tr>
            <th scope="col">{labels.checkpoint}</th>
            <th scope="col">{labels.signedAt}</th>
            <th scope="col">{labels.check}</th>
            <th scope="col">{labels.root}</th>
          </tr>
        </thead>
        <tbody>
          {checkpoints.toReversed().map((checkpoint) => (
            <tr key={checkpoint.id}>
              <th scope="row">{numberText(checkpoint.id, locale)}</th>
              <td>
                <Time at={checkpoint.created_at} />
              </td>
              <td>
                <SignatureCheck checkpoint={checkpoint} publicKeys={public_keys} />
              </td>
              <td>
                <code>{checkpoint.root}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
