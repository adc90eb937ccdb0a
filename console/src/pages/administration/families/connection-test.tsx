// Connects once with the stored secrets.

import { useState } from 'react';
import { call } from '#console/client/call.ts';
import { failureText } from '#console/client/failure-text.ts';
import { useAccount } from '#console/client/session.ts';
import { Button } from '#console/components/button.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import styles from '#console/pages/administration/administration.module.css';
import { numberText } from '#console/time/numbers.ts';
import { isAtLeast } from '#contract/values.ts';

export function ConnectionTest({ record: { guid } }: { readonly record: { readonly guid: string } }) {
  const labels = useLabels();
  const { connections } = labels.administration;
  const { locale } = useLanguage();
  const { role_name } = useAccount();
  const [isTesting, setTesting] = useState(false);
  const [outcome, setOutcome] = useState<string>();
  if (!isAtLeast(role_name, 'ADMIN')) return undefined;
  async function test() {
    setTesting(true);
    setOutcome(undefined);
    try {
      const { error, elapsed, server_version } = await call('POST /api/core/connection-profiles/:guid/test', { guid });
      setOutcome(
        error === null ? connections.ok(numberText(elapsed, locale), server_version ?? '') : connections.errors[error],
      );
    } catch (error) {
      setOutcome(failureText(error, labels).text);
    }
    setTesting(false);
  }
  return (
    <>
      <Button size="small" icon="play" disabled={isTesting} onClick={() => void test()}>
        {connections.test}
      </Button>
      {outcome !== undefined && (
        <p className={styles.result} role="status">
          {outcome}
        </p>
      )}
    </>
  );
}
