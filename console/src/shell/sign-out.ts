// Signing out discards what is not saved, so that it asks first.

import { signOut } from '#console/client/sign-in.ts';
import { unsavedHolds } from '#console/unsaved/use-unsaved.ts';

export async function askAndSignOut(): Promise<void> {
  if (await unsavedHolds.mayLeave()) await signOut();
}
