// The other nodes that a text may name.

import type { Store } from '#store/store.ts';
import { NamedObjects } from './named-objects.ts';

/** Another node that queries may name. */
export interface OtherNode {
  readonly name: string;
  readonly isAlive: boolean;
}

interface OtherNodesDeps {
  readonly store: Store;
  /** Those that have ever started; absent: there are none. */
  otherNodes?(): Promise<readonly OtherNode[]>;
}

/** All names are those of nodes that live. */
export function namedNodes({ store, otherNodes = async () => [] }: OtherNodesDeps): NamedObjects<OtherNode> {
  return new NamedObjects(store, {
    load: async (_, names) =>
      (await otherNodes()).filter(({ name }) => names.includes(name)).map((node) => [node.name, node]),
    names: async () => (await otherNodes()).flatMap(({ name, isAlive }) => (isAlive ? [name] : [])),
  });
}
