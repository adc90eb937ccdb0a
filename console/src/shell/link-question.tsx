// Asks before a one-time link replaces the session of this browser: the link may belong to another account.

import { useEffect, useRef, useState } from 'react';
import { failureText } from '#console/client/failure-text.ts';
import type { Account } from '#console/client/session.ts';
import { enter, signIn } from '#console/client/sign-in.ts';
import { Button } from '#console/components/button.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { Logo } from './logo.tsx';
import styles from './sign-in.module.css';

interface LinkQuestionProps {
  readonly account: Account;
  readonly code: string;
}

export function LinkQuestion({ account, code }: LinkQuestionProps) {
  const labels = useLabels();
  const { link } = labels.signIn;
  const [isSending, setSending] = useState(false);
  const [mistake, setMistake] = useState<string>();
  const stay = useRef<HTMLButtonElement>(null);
  useEffect(() => stay.current?.focus(), []);
  useEffect(() => {
    document.title = `${link.title} · ${labels.product}`;
  }, [link, labels]);

  async function complaintOf(work: () => Promise<Awaited<ReturnType<typeof signIn>>>): Promise<string | undefined> {
    try {
      const refusal = await work();
      if (refusal === undefined) return undefined;
      return refusal === 'refused' ? link.refused : labels.signIn.tooMany;
    } catch (error) {
      return failureText(error, labels).text;
    }
  }

  async function decide(work: () => Promise<Awaited<ReturnType<typeof signIn>>>) {
    setSending(true);
    setMistake(await complaintOf(work));
    setSending(false);
  }

  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <Logo size={40} />
        <h1>{link.title}</h1>
        <p>{link.signedIn(account.name, account.login)}</p>
        <p>{link.text}</p>
        {mistake !== undefined && (
          <p className={styles.reason} role="alert">
            {mistake}
          </p>
        )}
        <Button
          ref={stay}
          kind="primary"
          disabled={isSending}
          onClick={() => void decide(async () => void (await enter(account)))}
        >
          {link.stay(account.login)}
        </Button>
        <Button disabled={isSending} onClick={() => void decide(() => signIn({ code }))}>
          {link.switch}
        </Button>
      </div>
    </main>
  );
}
