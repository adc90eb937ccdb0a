// Query texts that were written and not run, while the reader is on another page. They stay in the memory of the tab.

/** A text that was not run, and the one that its address has. */
export interface KeptDraft {
  readonly account: string;
  readonly ran: string;
  readonly draft: string;
}

const MAX_KEPT = 20;

/** The newest first; a text that was run, or is empty, needs no keeping. */
export function withDraft(kept: readonly KeptDraft[], added: KeptDraft): readonly KeptDraft[] {
  const isOther = ({ account, ran, draft }: KeptDraft) =>
    account !== added.account || (ran !== added.ran && draft !== added.ran);
  const others = kept.filter(isOther);
  const isUnrun = added.draft !== added.ran && added.draft.trim() !== '';
  return (isUnrun ? [added, ...others] : others).slice(0, MAX_KEPT);
}

/** The text to continue with: that of the same address, or the newest of all where the address has no text. */
export function draftFor(kept: readonly KeptDraft[], account: string, ran: string): string {
  const own = kept.filter((one) => one.account === account);
  const found = own.find((one) => one.ran === ran) ?? (ran === '' ? own[0] : undefined);
  return found?.draft ?? ran;
}
