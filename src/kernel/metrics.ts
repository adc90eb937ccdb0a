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
  lines(): string[];
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
      samples: () => [...values.values()].map(({ labels, value }) => [labelText(labels), value]),
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
    const series = new Map<string, { labels: Labels; counts: number[]; sum: number }>();
    this.#instruments.push({
      name,
      lines: () => [
        ...header(name, help, 'histogram'),
        ...[...series.values()].flatMap((one) => bucketLines(name, bounds, one)),
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

  text(): string {
    const lines = this.#instruments.toSorted((a, b) => (a.name < b.name ? -1 : 1)).flatMap((one) => one.lines());
    return `${lines.join('\n')}\n`;
  }

  #register(parts: { name: string; help: string; type: string; samples: () => [string, number][] }): void {
    const { name, help, type, samples } = parts;
    const lines = () => [
      ...header(name, help, type),
      ...samples().map(([labels, value]) => `${name}${labels} ${value}`),
    ];
    this.#instruments.push({ name, lines });
  }
}

const header = (name: string, help: string, type: string) => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];

function bucketLines(
  name: string,
  bounds: readonly number[],
  { labels, counts, sum }: { labels: Labels; counts: readonly number[]; sum: number },
): string[] {
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

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

const escapeLabel = (value: string) => value.replace(/[\\"\n]/g, (char) => (char === '\n' ? '\\n' : `\\${char}`));
