// Asks before unsaved input is discarded: by a link, by Back, by closing the tab.

import { type ShouldBlockFn, useBlocker, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ConfirmDialog } from '#console/components/overlays/confirm.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { unsavedHolds, unsavedQuestion } from '#console/unsaved/use-unsaved.ts';

export function UnsavedGuard() {
  const hasUnsaved = unsavedHolds.hasUnsaved.use();
  const router = useRouter();
  useBlocker({
    shouldBlockFn: isKept,
    disabled: !hasUnsaved,
    // Below: also input that a navigation keeps goes with the tab.
    enableBeforeUnload: false,
  });
  useEffect(() => router.subscribe('onResolved', unsavedHolds.closeDiscarded), [router]);
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => unsavedHolds.hasUnsaved.get() && event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, []);
  return unsavedQuestion.isOpen.use() ? <UnsavedQuestion /> : undefined;
}

const isKept: ShouldBlockFn = async ({ next: { pathname, search } }) =>
  !(await unsavedHolds.mayLeave({ pathname, search: { ...search } }));

function UnsavedQuestion() {
  const { form } = useLabels();
  return (
    <ConfirmDialog
      title={form.unsavedTitle}
      text={form.unsavedText}
      confirmLabel={form.discard}
      cancelLabel={form.keepEditing}
      onConfirm={async () => unsavedQuestion.answer(true)}
      onClose={() => unsavedQuestion.answer(false)}
    />
  );
}
