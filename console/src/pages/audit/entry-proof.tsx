// The checkpoint that covers one entry. It is read on request: the reading is itself an entry of the trail.

import { useState } from 'react';
import { useAnswer } from '#console/client/answers.ts';
import { Button } from '#console/components/button.tsx';
import { Fact, Facts } from '#console/components/record-panel.tsx';
import { Answered } from '#console/components/states.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { numberText } from '#console/time/numbers.ts';
import { Time } from '#console/time/time.tsx';
import { SignatureCheck } from './signature-check.tsx';

export function EntryProof({ id }: { readonly id: number }) {
  const { audit: labels } = useLabels();
  const [isAsked, setAsked] = useState(false);
  if (isAsked) return <Covering id={id} />;
  return (
    <div>
      <Button size="small" icon="audit" onClick={() => setAsked(true)}>
        {labels.entryProof}
      </Button>
    </div>
  );
}

function Covering({ id }: { readonly id: number }) {
  const { audit: labels } = useLabels();
  const { locale } = useLanguage();
  const answer = useAnswer('GET /api/core/audit-logs/proof', { from_id: id, limit: 1 });
  return (
    <Answered answer={answer} lines={2}>
      {({ checkpoints: [checkpoint], public_keys }) =>
        checkpoint ? (
          <>
            <p>{labels.entrySigned(numberText(checkpoint.id, locale))}</p>
            <Facts>
              <Fact name={labels.signedAt}>
                <Time at={checkpoint.created_at} />
              </Fact>
              <Fact name={labels.root}>
                <code>{checkpoint.root}</code>
              </Fact>
              <Fact name={labels.check}>
                <SignatureCheck checkpoint={checkpoint} publicKeys={public_keys} />
              </Fact>
            </Facts>
          </>
        ) : (
          <p>{labels.entryUnsigned}</p>
        )
      }
    </Answered>
  );
}
