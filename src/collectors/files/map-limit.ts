// Bounded concurrency for work on many files: other requests need the file system, too.

const MAX_CONCURRENT = 32;

/** The results of `work`, in the order of `items`. */
export async function mapLimit<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (let from = 0; from < items.length; from += MAX_CONCURRENT) {
    done.push(...(await Promise.all(items.slice(from, from + MAX_CONCURRENT).map(work))));
  }
  return done;
}
