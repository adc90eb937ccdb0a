// The ports of a group: entries such as `tcp/22` and `udp/1000-2000`. The protocol is compared without regard to case.

interface PortRange {
  readonly low: number;
  readonly high: number;
}

const ENTRY = /^([a-z][a-z0-9-]*)\/(\d{1,5})(?:-(\d{1,5}))?$/i;
const MAX_PORT = 65_535;

export class PortRanges {
  /** By protocol in lower case; sorted and disjoint. */
  readonly byProtocol: ReadonlyMap<string, readonly PortRange[]>;

  constructor(entries: Iterable<string>) {
    const found = new Map<string, PortRange[]>();
    for (const entry of entries) {
      const [, protocol = '', low, high = low] = ENTRY.exec(entry.trim()) ?? [];
      const range = { low: Number(low), high: Math.min(Number(high), MAX_PORT) };
      if (low === undefined || range.low > range.high) continue;
      const key = protocol.toLowerCase();
      found.set(key, [...(found.get(key) ?? []), range]);
    }
    this.byProtocol = new Map([...found].map(([protocol, ranges]) => [protocol, merged(ranges)]));
  }

  has(port: bigint, protocol: string): boolean {
    if (port < 0n || port > MAX_PORT) return false;
    const number = Number(port);
    return (this.byProtocol.get(protocol.toLowerCase()) ?? []).some(({ low, high }) => number >= low && number <= high);
  }
}

function merged(ranges: readonly PortRange[]): PortRange[] {
  const apart: PortRange[] = [];
  for (const range of ranges.toSorted((left, right) => left.low - right.low)) {
    const last = apart.at(-1);
    if (!last || range.low > last.high + 1) apart.push(range);
    else if (range.high > last.high) apart[apart.length - 1] = { low: last.low, high: range.high };
  }
  return apart;
}
