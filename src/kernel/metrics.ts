// Counters, gauges and histograms in the Prometheus text format. Written here because the usual library adds 50 ms to
// every start and the format is a page long.

interface Counter {
  add(labels: Labels, amount?: number): void;
}

interface Histogram {
  observe(labels: Labels, value: number): void;
}

type Labels = Readonly<Record<string, string>>;

interface Instrument {
  readonly name: string;
  /** Series that differ in the labels `without` alone are one. */
  lines(without: readonly string[]): string[];
}

export class Metrics {
  readonly #instruments: Instrument[] = [];
  readonly #looks: (() => Promise<void>)[] = [];

  counter(name: string, help: string): Counter {
    const values = new Map<string, { readonly labels: Labels; value: number }>();
    this.#register({
      name,
      help,
      type: 'counter',
      samples: (without) => {
        const sums = new Map<string, number>();
        for (const { labels, value } of values.values()) {
          const text = labelText(labels, without);
          sums.set(text, (sums.get(text) ?? 0) + value);
        }
        return [...sums];
      },
    });
    return {
      add(labels, amount = 1) {
        const key = keyOf(labels);
        const one = values.get(key);
        if (one) one.value += amount;
        else values.set(key, { labels, value: amount });
      },
    };
  }

  /** `read` is called at every scrape. */
  gauge(name: string, help: string, read: () => number): void {
    this.#register({ name, help, type: 'gauge', samples: () => [['', read()]] });
  }

  /** `bounds` are the upper ends of the buckets, ascending; the last bucket, +Inf, is added. */
  histogram(name: string, help: string, bounds: readonly number[]): Histogram {
    const series = new Map<string, Distribution>();
    this.#instruments.push({
      name,
      lines: (without) => [
        ...header(name, help, 'histogram'),
        ...merged([...series.values()], without).flatMap((one) => bucketLines(name, bounds, one)),
      ],
    });
    return {
      observe(labels, value) {
        const key = keyOf(labels);
        let one = series.get(key);
        if (!one) {
          one = { labels, counts: new Array(bounds.length + 1).fill(0), sum: 0 };
          series.set(key, one);
        }
        const bucket = bounds.findIndex((bound) => value <= bound);
        const at = bucket === -1 ? bounds.length : bucket;
        one.counts[at] = (one.counts[at] ?? 0) + 1;
        one.sum += value;
      },
    };
  }

  /** `work` is awaited before each scrape, for values that cannot be read synchronously. */
  beforeScrape(work: () => Promise<void>): void {
    this.#looks.push(work);
  }

  async prepareScrape(): Promise<void> {
    await Promise.all(this.#looks.map((look) => look()));
  }

  /** Labels `without` are left out; counters of what then is one series are added up. */
  text({ without = [] }: { readonly without?: readonly string[] } = {}): string {
    const sorted = this.#instruments.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return `${sorted.flatMap((one) => one.lines(without)).join('\n')}\n`;
  }

  #register({ name, help, type, samples }: Samples): void {
    const lines = (without: readonly string[]) => [
      ...header(name, help, type),
      ...samples(without).map(([labels, value]) => `${name}${labels} ${value}`),
    ];
    this.#instruments.push({ name, lines });
  }
}

interface Samples {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  /** Label texts with their values. */
  samples(without: readonly string[]): [string, number][];
}

const header = (name: string, help: string, type: string) => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];

/** Values that were observed, by bucket. */
interface Distribution {
  readonly labels: Labels;
  readonly counts: number[];
  sum: number;
}

/** As one for each set of the labels that are left. */
function merged(series: readonly Distribution[], without: readonly string[]): Distribution[] {
  const found = new Map<string, Distribution>();
  for (const { labels, counts, sum } of series) {
    const left = Object.fromEntries(Object.entries(labels).filter(([name]) => !without.includes(name)));
    const one = found.get(keyOf(left)) ?? { labels: left, counts: counts.map(() => 0), sum: 0 };
    for (const [at, count] of counts.entries()) one.counts[at] = (one.counts[at] ?? 0) + count;
    one.sum += sum;
    found.set(keyOf(left), one);
  }
  return [...found.values()];
}

function bucketLines(name: string, bounds: readonly number[], { labels, counts, sum }: Distribution): string[] {
  let total = 0;
  const buckets = counts.map((count, index) => {
    total += count;
    return `${name}_bucket${labelText({ ...labels, le: String(bounds[index] ?? '+Inf') })} ${total}`;
  });
  return [...buckets, `${name}_sum${labelText(labels)} ${sum}`, `${name}_count${labelText(labels)} ${total}`];
}

/** An instrument always has the same label names, so their values identify the series. */
function keyOf(labels: Labels): string {
  let key = '';
  for (const name in labels) key += `${labels[name]}\n`;
  return key;
}

function labelText(labels: Labels, without: readonly string[] = []): string {
  const shown = Object.entries(labels).filter(([name]) => !without.includes(name));
  const pairs = shown.map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

const escapeLabel = (value: string) => value.replace(/[\\"\n]/g, (char) => (char === '\n' ? '\\n' : `\\${char}`));
