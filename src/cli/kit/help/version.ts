// The version of the program: that of its package, the commit that it was made of where that is known, and the Node that runs it.

import { productCommit, productManifest } from '#docs/product.ts';

export interface ProgramVersion {
  readonly version: string;
  readonly commit: string | null;
  readonly node: string;
}

export const programVersion = (): ProgramVersion => ({
  version: productManifest().version,
  commit: productCommit() ?? null,
  node: process.versions.node,
});

export function versionText(): string {
  const { version, commit, node } = programVersion();
  return `vigil ${version} (${commit === null ? '' : `commit ${commit}, `}Node ${node})`;
}
