// The text in the editor. What was not run is there again when the reader comes back; closing the tab asks first.

import { useEffect, useRef, useState } from 'react';
import { useAccount } from '#console/client/session.ts';
import { createState } from '#console/client/state.ts';
import { useUnsaved } from '#console/unsaved/use-unsaved.ts';
import { draftFor, type KeptDraft, withDraft } from './kept-drafts.ts';

const kept = createState<readonly KeptDraft[]>([]);

/** `ran` is the text of the address. Another one takes the place of the draft, which the editor can undo. */
export function useDraft(ran: string): readonly [string, (text: string) => void] {
  const { guid: account } = useAccount();
  const [draft, setDraft] = useState(() => draftFor(kept.get(), account, ran));
  const shown = useRef(ran);
  useEffect(() => {
    if (shown.current === ran) return;
    shown.current = ran;
    setDraft(ran);
  }, [ran]);
  useEffect(() => kept.set(withDraft(kept.get(), { account, ran, draft })), [account, ran, draft]);
  useUnsaved(draft !== ran && draft.trim() !== '', { staysAt: () => true });
  return [draft, setDraft];
}
