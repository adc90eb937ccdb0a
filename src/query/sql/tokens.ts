// Objects of the host that a statement refers to by a token: address groups, and expressions that the host evaluates.
// The statement does not keep them alive; the facts of its run do.

const things = new Map<string, WeakRef<object>>();
const tokens = new WeakMap<object, string>();
const forgotten = new FinalizationRegistry((token: string) => things.delete(token));
const heldBy = new WeakMap<object, object[]>();
let last = 0;

/** `holder` must live as long as a statement with the token may run. */
export function tokenOf(thing: object, holder: object): string {
  const held = heldBy.get(holder) ?? [];
  heldBy.set(holder, held);
  held.push(thing);
  const known = tokens.get(thing);
  if (known !== undefined) return known;
  last += 1;
  const token = String(last);
  tokens.set(thing, token);
  things.set(token, new WeakRef(thing));
  forgotten.register(thing, token);
  return token;
}

export function thingOf<T extends object>(token: string, type: new (...args: never[]) => T): T {
  const thing = things.get(token)?.deref();
  if (thing instanceof type) return thing;
  throw new Error('the object of a token was released before its run has ended');
}
