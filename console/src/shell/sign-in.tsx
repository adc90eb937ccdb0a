// The sign-in page: a key. A link with a one-time code never shows it.

import * as RadixDialog from '@radix-ui/react-dialog';
import { type ElementType, type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { failureText } from '#console/client/failure-text.ts';
import { signIn } from '#console/client/sign-in.ts';
import { Button, IconButton } from '#console/components/button.tsx';
import { TextField } from '#console/components/forms/field.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { LanguageMenu, ThemeMenu } from './choice-menus.tsx';
import { Logo } from './logo.tsx';
import styles from './sign-in.module.css';

const REASONS = { expired: 'expired', 'wrong-code': 'wrongCode', unsaved: 'expiredUnsaved' } as const;

interface SignInProps {
  readonly reason: keyof typeof REASONS | undefined;
  readonly heading?: ElementType;
}

export function SignIn({ reason, heading: Heading = 'h1' }: SignInProps) {
  const labels = useLabels();
  const [key, setKey] = useState('');
  const [isSending, setSending] = useState(false);
  const [mistake, setMistake] = useState<string>();
  useEffect(() => {
    const { title } = document;
    document.title = `${labels.signIn.submit} · ${labels.product}`;
    // A page below keeps its title.
    return () => {
      document.title = title;
    };
  }, [labels]);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (key.trim() === '') return setMistake(labels.signIn.missingKey);
    setSending(true);
    setMistake(await complaintOf(key.trim()));
    setSending(false);
  }

  async function complaintOf(api_key: string): Promise<string | undefined> {
    try {
      const refusal = await signIn({ api_key });
      if (refusal === undefined) return undefined;
      return refusal === 'refused' ? labels.signIn.wrongKey : labels.signIn.tooMany;
    } catch (error) {
      return failureText(error, labels).text;
    }
  }

  return (
    <main className={styles.page}>
      <form className={styles.card} onSubmit={submit} noValidate>
        <Logo size={40} />
        <Heading>{labels.signIn.title}</Heading>
        {reason && <p className={styles.reason}>{labels.signIn[REASONS[reason]]}</p>}
        <KeyField value={key} mistake={mistake} onChange={setKey} />
        <Button kind="primary" type="submit" disabled={isSending}>
          {labels.signIn.submit}
        </Button>
      </form>
      <div className={styles.choices}>
        <LanguageMenu />
        <ThemeMenu />
      </div>
    </main>
  );
}

/** Over a page with input that is not saved: it is there again once its reader has signed in. */
export const SignInOver = () => (
  <RadixDialog.Root open>
    <RadixDialog.Portal>
      <RadixDialog.Content
        className={styles.over}
        aria-describedby={undefined}
        onEscapeKeyDown={(event) => event.preventDefault()}
        onInteractOutside={(event) => event.preventDefault()}
      >
        <SignIn reason="unsaved" heading={DialogHeading} />
      </RadixDialog.Content>
    </RadixDialog.Portal>
  </RadixDialog.Root>
);

const DialogHeading = ({ children }: { readonly children: ReactNode }) => (
  <RadixDialog.Title asChild>
    <h1>{children}</h1>
  </RadixDialog.Title>
);

interface KeyFieldProps {
  readonly value: string;
  readonly mistake: string | undefined;
  onChange(value: string): void;
}

function KeyField({ value, mistake, onChange }: KeyFieldProps) {
  const { signIn: labels } = useLabels();
  const [isShown, setShown] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <div className={styles.key}>
      <TextField
        ref={field}
        label={labels.key}
        hint={labels.keyHint}
        mistake={mistake}
        type={isShown ? 'text' : 'password'}
        name="api_key"
        autoComplete="current-password"
        spellCheck={false}
        value={value}
        onChange={onChange}
      />
      <span className={styles.show}>
        <IconButton
          size="small"
          icon="eye"
          label={isShown ? labels.hide : labels.show}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        />
      </span>
    </div>
  );
}
