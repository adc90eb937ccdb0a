// Objects of the local evaluator that a statement refers to by a token: address groups, and expressions that the local evaluator evaluates.
// The statement does not keep them alive; the facts of its run do.

const objects = new Map<string, WeakRef<object>>();
const tokens = new WeakMap<object, string>();
const forgotten = new FinalizationRegistry((token: string) => objects.delete(token));
const heldBy = new WeakMap<object, object[]>();
let last = 0;

/** `holder` must live as long as a statement with the token may run. */
export function tokenOf(object: object, holder: object): string {
  const held = heldBy.get(holder) ?? [];
  heldBy.set(holder, held);
  held.push(object);
  const known = tokens.get(object);
  if (known !== undefined) return known;
  last += 1;
  const token = String(last);
  tokens.set(object, token);
  objects.set(token, new WeakRef(object));
  forgotten.register(object, token);
  return token;
}

export function objectOf<T extends object>(token: string, type: new (...args: never[]) => T): T {
  const object = objects.get(token)?.deref();
  if (object instanceof type) return object;
  throw new Error('the object of a token was released before its run has ended');
}
