// Lets readers with a session in; others see the sign-in page. The address stays, so that signing in continues there.

import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { repeatShown } from '#console/client/answers.ts';
import { type Account, useSession } from '#console/client/session.ts';
import { type Opening, openSession } from '#console/client/sign-in.ts';
import { Toasts } from '#console/components/overlays/toast.tsx';
import { Failed, Loading } from '#console/components/states.tsx';
import { useLanguage } from '#console/labels/labels.tsx';
import { ZoneProvider } from '#console/time/time.tsx';
import { useChosenZone } from '#console/time/zone-choice.ts';
import { unsavedHolds } from '#console/unsaved/use-unsaved.ts';
import { LinkQuestion } from './link-question.tsx';
import { OfflineBanner } from './offline-banner.tsx';
import { SignIn, SignInOver } from './sign-in.tsx';

type GateState = Opening | { readonly state: 'opening' } | { readonly state: 'failed'; readonly error: unknown };

export function Gate({ children }: { readonly children: ReactNode }) {
  const session = useSession();
  const { adopt } = useLanguage();
  const [opening, setOpening] = useState<GateState>({ state: 'opening' });
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: A further attempt opens again.
  useEffect(() => {
    open().then(setOpening, (error: unknown) => setOpening({ state: 'failed', error }));
  }, [attempt]);
  const hasUnsaved = unsavedHolds.hasUnsaved.use();
  const account = 'account' in session && (session.state === 'signed-in' || hasUnsaved) ? session.account : undefined;
  useEffect(() => {
    if (session.state === 'signed-in') adopt(session.account.locale);
  }, [session, adopt]);
  useAnswersOf(account, session.state === 'signed-in');
  return (
    <>
      <OfflineBanner />
      {content()}
      <Toasts />
    </>
  );

  function content(): ReactNode {
    if (account) {
      return (
        <>
          <Zoned key={account.guid} zone={account.time_zone}>
            {children}
          </Zoned>
          {session.state === 'signed-out' && <SignInOver />}
        </>
      );
    }
    if (opening.state === 'opening') return <Loading lines={1} />;
    if (opening.state === 'asks') {
      return <LinkQuestion {...opening} />;
    }
    if (session.state === 'signed-out') {
      const ended = 'reason' in session ? session.reason : undefined;
      return <SignIn reason={opening.state === 'wrong-code' ? 'wrong-code' : ended} />;
    }
    if (opening.state === 'failed') return <Failed error={opening.error} onRetry={() => setAttempt(attempt + 1)} />;
    return <Loading lines={1} />;
  }
}

/** Answers of one account are not shown to the next; the same one, after its session had ended, gets them anew. */
function useAnswersOf(account: Account | undefined, isSignedIn: boolean): void {
  const queryClient = useQueryClient();
  const before = useRef<Account>(undefined);
  useEffect(() => {
    if (before.current && before.current.guid !== account?.guid) queryClient.clear();
    else if (before.current && isSignedIn) void repeatShown(queryClient);
    before.current = account;
  }, [account, isSignedIn, queryClient]);
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
