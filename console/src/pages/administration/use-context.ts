// What the declarations of families are asked with.

import { useAccount } from '#console/client/session.ts';
import { useLanguage } from '#console/labels/labels.tsx';
import { useZone } from '#console/time/time.tsx';
import { isAtLeast } from '#contract/values.ts';
import type { AnyFamily, AnyRecord, Context } from './family.ts';

export function useFamilyContext(): Context {
  const { labels, locale } = useLanguage();
  return { labels, locale, account: useAccount(), zone: useZone() };
}

export const mayWrite = ({ writers }: AnyFamily, { account }: Context): boolean =>
  isAtLeast(account.role_name, writers);

export const mayChange = (family: AnyFamily, record: AnyRecord, context: Context): boolean =>
  mayWrite(family, context) && (family.mayChange?.(record, context.account) ?? true);
