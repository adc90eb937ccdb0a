// The same call many times, so many at once.

const AT_ONCE = 32;

export async function callConcurrently(
  count: number,
  work: (number: number) => Promise<void>,
  { atOnce = AT_ONCE } = {},
): Promise<void> {
  let next = 0;
  const workers = Array.from({ length: atOnce }, async () => {
    while (next < count) {
      next += 1;
      await work(next - 1);
    }
  });
  await Promise.all(workers);
}
