// SQL of address functions (9.6). IPv4-mapped IPv6 is IPv4; other IPv6 addresses are compared as 32 hexadecimal digits,
// whose order is that of the numbers.

import type { Call } from '#query/model/expression.ts';
import type { AddressSet } from '#query/model/run-facts.ts';
import type { ColumnType } from '#query/model/values.ts';
import { toText, toWhole } from '#query/sql/conversion.ts';
import type { ExpressionCompiler } from '#query/sql/expression-compiler.ts';
import type { Sql } from '#query/sql/scope.ts';
import { tokenOf } from '#query/sql/tokens.ts';
import { sql, test } from '#query/sql/writer.ts';
import type { KeyRange } from '#query/values/addresses/address-group.ts';
import { type AddressRange, addressOf, cidrOf, ipv6DigitsOf } from '#query/values/addresses/addresses.ts';
import { networkRegex } from '#query/values/addresses/network-regex.ts';
import { argumentAt, constantAt, wordAt } from './arguments.ts';
import type { Forms } from './form.ts';

/** A text that may be an IPv6 address. */
const MAYBE_IPV6 = (s: string) => `contains(${s}, ':')`;

/** What a function makes of an IPv4 text and of the digits of an IPv6 address; null for any other text. */
interface ByFamily {
  readonly ipv4: (s: string, ...others: readonly string[]) => string;
  readonly ipv6: (h: string, ...others: readonly string[]) => string;
}

interface AddressCall {
  readonly call: Call;
  readonly compiler: ExpressionCompiler;
  readonly type: ColumnType;
  /** Further arguments, already converted. */
  readonly others?: readonly Sql[];
}

function byFamily({ call, compiler, type, others = [] }: AddressCall, { ipv4, ipv6 }: ByFamily): Sql {
  const value = toText(argumentAt(call, 0, compiler), compiler);
  const text = compiler.once([value, ...others], (s = '', ...names) => {
    const onDigits = compiler.once(
      [ipv6Digits(s)],
      (h = '') =>
        `case when vigil_is_mapped(${h}) then ${mapped(h, (v) => ipv4(v, ...names), compiler)} else ${ipv6(h, ...names)} end`,
    );
    return `case when vigil_is_ipv4(${s}) then ${ipv4(s, ...names)} when ${MAYBE_IPV6(s)} then ${onDigits} end`;
  });
  return sql(text, type);
}

/** Null for a text that is not an IPv6 address. */
const ipv6Digits = (s: string): Sql => sql(`vigil_ipv6_hex(${s})`, 'string');

const mapped = (h: string, ipv4: (s: string) => string, compiler: ExpressionCompiler): string =>
  compiler.once([sql(`vigil_mapped_text(${h})`, 'string')], (v = '') => ipv4(v));

const NO_IPV6 = () => 'null';

export const addresses: Forms = {
  ip: (call, compiler) =>
    argumentAt(call, 0, compiler).type === 'string'
      ? byFamily({ call, compiler, type: 'string' }, { ipv4: (s) => s, ipv6: (h) => `vigil_ipv6_text(${h})` })
      : undefined,

  network(call, compiler) {
    const bits = toWhole(argumentAt(call, 1, compiler), compiler);
    return byFamily(
      { call, compiler, type: 'string', others: [bits] },
      {
        ipv4(s, n) {
          const size = `(1::bigint << (32 - ${n}))`;
          return `case when ${n} between 0 and 32 then vigil_ipv4_text(vigil_ipv4(${s}) // ${size} * ${size}) end`;
        },
        ipv6(h, n) {
          const first = compiler.macro('ipv6_text', [sql(`vigil_ipv6_network(${h}, ${n})`, 'string')]);
          return `case when ${n} between 0 and 128 then ${first} end`;
        },
      },
    );
  },

  innet(call, compiler) {
    const cidr = constantAt(call, 1, compiler);
    if (cidr === undefined) return undefined;
    const range = typeof cidr === 'string' ? cidrOf(cidr) : null;
    return range ? withinRange(call, range, compiler) : sql('false', 'bool');
  },

  iprange(call, compiler) {
    const low = constantAt(call, 1, compiler);
    const high = constantAt(call, 2, compiler);
    if (low === undefined || high === undefined) return undefined;
    const from = addressOf(String(low));
    const to = addressOf(String(high));
    if (!from || !to || from.family !== to.family) return sql('false', 'bool');
    return withinRange(call, { family: from.family, low: from.number, high: to.number }, compiler);
  },

  ipkey: (call, compiler) =>
    byFamily(
      { call, compiler, type: 'string' },
      { ipv4: (s) => `printf('4%08x', vigil_ipv4(${s}))`, ipv6: (h) => `('6' || ${h})` },
    ),

  ip2long: (call, compiler) =>
    byFamily({ call, compiler, type: 'long' }, { ipv4: (s) => `vigil_ipv4(${s})`, ipv6: NO_IPV6 }),

  ip2int: (call, compiler) =>
    byFamily(
      { call, compiler, type: 'long' },
      { ipv4: (s) => `(vigil_ipv4(${s}) + 2147483648) % 4294967296 - 2147483648`, ipv6: NO_IPV6 },
    ),

  long2ip(call, compiler) {
    const number = toWhole(argumentAt(call, 0, compiler), compiler);
    return sql(
      compiler.once(
        [number],
        (n) =>
          `case when ${n} between -2147483648 and 4294967295 then vigil_ipv4_text(if(${n} < 0, ${n} + 4294967296, ${n})) end`,
      ),
      'string',
    );
  },

  matchnet(call, compiler) {
    const group = groupOf(call, compiler);
    return group ? groupTest(argumentAt(call, 1, compiler), group, compiler) : sql('false', 'bool');
  },

  matchblackip(call, compiler) {
    const group = groupOf(call, compiler);
    if (!group) return sql('false', 'bool');
    const tests = call.args.slice(1).map((arg) => groupTest(compiler.compile(arg), group, compiler));
    return { text: `(${tests.map(({ text }) => text).join(' or ')})`, type: 'bool' };
  },

  matchport(call, compiler) {
    const group = groupOf(call, compiler);
    return group ? portTest(call, group, compiler) : sql('false', 'bool');
  },

  reverseip: (call, compiler) =>
    byFamily(
      { call, compiler, type: 'string' },
      {
        ipv4: (s) => `array_to_string(list_reverse(str_split(${s}, '.')), '.')`,
        ipv6: (h) => `array_to_string(list_reverse(str_split(${h}, '')), '.')`,
      },
    ),
};

const groupOf = (call: Call, compiler: ExpressionCompiler): AddressSet | undefined =>
  compiler.scope.run.groups.get((wordAt(call, 0, compiler) ?? '').toLowerCase());

function portTest(call: Call, group: AddressSet, compiler: ExpressionCompiler): Sql {
  const port = toWhole(argumentAt(call, 1, compiler), compiler);
  const protocol = toText(argumentAt(call, 2, compiler), compiler);
  const protocols = [...group.ports.byProtocol];
  if (protocols.length === 0) return sql('false', 'bool');
  if (protocols.reduce((count, [, ranges]) => count + ranges.length, 0) > MAX_RANGES_IN_SQL) {
    return compiler.local('port', [compiler.bind(tokenOf(group, compiler.scope.run)), port, protocol], 'bool');
  }
  return test(
    compiler.once([port, protocol], (n, p) => {
      const cases = protocols.map(([name, ranges]) => {
        const within = ranges.map(({ low, high }) => `${n} between ${low} and ${high}`).join(' or ');
        return `when ${compiler.bind(name).text} then (${within})`;
      });
      return `case lower(${p}) ${cases.join(' ')} end`;
    }),
  );
}

/** Compares the first octets or groups of a text before parsing it, which decides most rows. */
function withinRange(call: Call, range: AddressRange, compiler: ExpressionCompiler): Sql {
  const value = toText(argumentAt(call, 0, compiler), compiler);
  const text = compiler.once([value], (s = '') => {
    const onIpv4 = range.family === 4 ? `(${ipv4Test(s, range, compiler)})` : 'false';
    return `case when ${MAYBE_IPV6(s)} then ${ipv6Test(s, range, compiler)} else ${onIpv4} end`;
  });
  return test(text);
}

function ipv6Test(s: string, range: AddressRange, compiler: ExpressionCompiler): string {
  const [low, high] = [range.low, range.high].map((bound) => compiler.bind(ipv6DigitsOf(range.family, bound)).text);
  const byDigits = compiler.once([ipv6Digits(s)], (h = '') => {
    const isOfFamily = `${range.family === 4 ? '' : 'not '}vigil_is_mapped(${h})`;
    return `(${isOfFamily} and ${h} between ${low} and ${high})`;
  });
  if (range.family === 4) {
    return `case when ${maybeMapped(s)} then ${byDigits} else false end`;
  }
  const prefix = networkRegex(range);
  if (prefix === undefined) return byDigits;
  const byText = `(regexp_matches(${s}, ${compiler.bind(prefix).text}) and vigil_is_ipv6(${s}))`;
  return `case when ${maybeMapped(s)} or contains(${s}, '.') then ${byDigits} else ${byText} end`;
}

/** True for every text of an IPv4-mapped address. */
const maybeMapped = (s: string): string => `regexp_matches(${s}, '^[0:]*:[fF]{4}:')`;

function ipv4Test(s: string, { low, high }: AddressRange, compiler: ExpressionCompiler): string {
  const octets = [24n, 16n, 8n].filter((shift) => low >> shift === high >> shift);
  const prefix = octets.map((shift) => `${(low >> shift) & 255n}.`).join('');
  const starts = prefix === '' ? [] : [`starts_with(${s}, ${compiler.bind(prefix).text})`];
  const rest = (1n << BigInt(32 - 8 * octets.length)) - 1n;
  const isWhole = (low & rest) === 0n && (high & rest) === rest;
  const between = `case when vigil_is_ipv4(${s}) then vigil_ipv4(${s}) between ${compiler.bind(low).text} and ${compiler.bind(high).text} end`;
  return [...starts, isWhole ? `vigil_is_ipv4(${s})` : between].join(' and ');
}

/** Up to this many ranges are compared in SQL; for more the local evaluator does a binary search. */
const MAX_RANGES_IN_SQL = 32;

/** True if a text is an address of a group; also for the command matchnet. */
export function groupTest(value: Sql, group: AddressSet, compiler: ExpressionCompiler): Sql {
  const text = toText(value, compiler);
  const ipv4 = group.ranges.filter(({ low }) => low.startsWith('4'));
  return test(
    compiler.once([text], (s = '') => {
      const local = compiler.local(
        'group',
        [compiler.bind(tokenOf(group, compiler.scope.run)), { ...text, text: s, isPlain: true }],
        'bool',
      ).text;
      const onIpv4 = ipv4.length <= MAX_RANGES_IN_SQL ? rangesTest(ipv4, s, compiler) : local;
      return `case when ${MAYBE_IPV6(s)} then ${local} else ${onIpv4} end`;
    }),
  );
}

function rangesTest(ranges: readonly KeyRange[], s: string, compiler: ExpressionCompiler): string {
  const number = (key: string) => BigInt(`0x${key.slice(1)}`);
  const tests = ranges.map(
    ({ low, high }) => `(${ipv4Test(s, { family: 4, low: number(low), high: number(high) }, compiler)})`,
  );
  return tests.length === 0 ? 'false' : `(${tests.join(' or ')})`;
}
