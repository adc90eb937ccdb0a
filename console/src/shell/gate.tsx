// Lets readers with a session in; others see the sign-in page. The address stays, so that signing in continues there.

import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useSession } from '#console/client/session.ts';
import { type Opening, openSession } from '#console/client/sign-in.ts';
import { Failed, Loading } from '#console/components/states.tsx';
import { Toasts } from '#console/components/toast.tsx';
import { useLanguage } from '#console/labels/labels.tsx';
import { ZoneProvider } from '#console/time/time.tsx';
import { useChosenZone } from '#console/time/zone-choice.ts';
import { LinkQuestion } from './link-question.tsx';
import { OfflineBanner } from './offline-banner.tsx';
import { SignIn } from './sign-in.tsx';

type GateState = Opening | { readonly state: 'opening' } | { readonly state: 'failed'; readonly error: unknown };

export function Gate({ children }: { readonly children: ReactNode }) {
  const session = useSession();
  const { adopt } = useLanguage();
  const queryClient = useQueryClient();
  const [opening, setOpening] = useState<GateState>({ state: 'opening' });
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: A further attempt opens again.
  useEffect(() => {
    open().then(setOpening, (error: unknown) => setOpening({ state: 'failed', error }));
  }, [attempt]);
  useEffect(() => {
    if (session.state === 'signed-in') adopt(session.account.locale);
    // Answers of one account are not shown to the next.
    if (session.state === 'signed-out') queryClient.clear();
  }, [session, adopt, queryClient]);
  return (
    <>
      <OfflineBanner />
      {content()}
      <Toasts />
    </>
  );

  function content(): ReactNode {
    if (session.state === 'signed-in') {
      return <Zoned zone={session.account.time_zone}>{children}</Zoned>;
    }
    if (opening.state === 'opening') return <Loading lines={1} />;
    if (opening.state === 'asks') {
      return <LinkQuestion {...opening} />;
    }
    if (session.state === 'signed-out') {
      return <SignIn reason={opening.state === 'wrong-code' ? 'wrong-code' : session.reason} />;
    }
    if (opening.state === 'failed') return <Failed error={opening.error} onRetry={() => setAttempt(attempt + 1)} />;
    return <Loading lines={1} />;
  }
}

const Zoned = ({ zone, children }: { readonly zone: string; readonly children: ReactNode }) => (
  <ZoneProvider value={useChosenZone(zone)}>{children}</ZoneProvider>
);

/** React starts effects twice while developing; a code works once. */
let opened: Promise<Opening> | undefined;

function open(): Promise<Opening> {
  opened ??= openSession().finally(() => {
    opened = undefined;
  });
  return opened;
}
