// Macros that an instance of DuckDB must have before a compiled statement runs. A macro repeats its arguments, so the
// compiler passes only plain ones (columns, bound values, lambda variables).
//
// `j` is a value of type any: compact JSON as DuckDB writes it, and never the JSON text `null`. Its first character
// shows its type, which is cheaper than parsing. `z` is the name of the query's zone, `w` wall-clock time. Rare values
// go to the local evaluator (vigil_local, see local-function.ts), and only their rows pay for the round trip.

import { BASE64, DATE_DIGITS } from '#query/values/formats/tags.ts';

const NUMBER = '[+-]?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?';
const DAY = '[0-9]{4}-[0-9]{2}-[0-9]{2}';
const CLOCK = '([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{3})?)?';
const OFFSET = '[+-]([01][0-9]|2[0-3]):?[0-5][0-9]';
const OCTET = '(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const HEX = '[0-9A-Fa-f]{1,4}';
/** Eight groups, or 0 to 7 before `::` and at most as many after it as are then missing. */
const IPV6 = [
  `(${HEX}:){7}${HEX}`,
  `::(${HEX}(:${HEX}){0,6})?`,
  ...[1, 2, 3, 4, 5, 6].map((count) => `${HEX}(:${HEX}){${count - 1}}::(${HEX}(:${HEX}){0,${6 - count}})?`),
  `(${HEX}:){7}:`,
].join('|');
const ipv6Groups = [1, 5, 9, 13, 17, 21, 25, 29].map(
  (at) => `ltrim(substr(h, ${at}, 3), '0') || substr(h, ${at + 3}, 1)`,
);
const zeroGroups = (count: number): string => `'${':0'.repeat(count)}:'`;
const longestZeros = [8, 7, 6, 5, 4, 3, 2].map(
  (count) => `when contains(t, ${zeroGroups(count)}) then vigil_ipv6_short(t, ${zeroGroups(count)})`,
);
/** As in `values/dates/dates.ts`. */
const EARLIEST = -62_135_683_200_000;
const LATEST = 253_402_387_199_999;
/** Beyond these no zone has a date. */
export const EARLIEST_WALL = "timestamp '0000-12-30'";
export const LATEST_WALL = "timestamp '10000-01-03'";

/** `name(arguments) as body`; later macros use earlier ones. */
const MACROS = [
  // Types of any. A client can send objects that look like dates and binaries, so the milliseconds of a date are
  // checked first.
  `is_text(j) as starts_with(j, '"')`,
  `is_bool(j) as (j = 'true' or j = 'false')`,
  `is_number(j) as (ascii(j) between 45 and 57)`,
  `date(ms) as case when ms between ${EARLIEST} and ${LATEST} then make_timestamptz(ms::bigint * 1000) end`,
  `tagged_date(j) as vigil_date(try_cast(substr(j, 10, length(j) - 10) as bigint))`,
  `is_date(j) as (starts_with(j, '{"$date":') and regexp_full_match(j, '[{]"[$]date":${DATE_DIGITS}[}]')
    and vigil_tagged_date(j) is not null)`,
  `is_binary(j) as (starts_with(j, '{"$binary":') and regexp_full_match(j, '[{]"[$]binary":"${BASE64}"[}]'))`,
  `is_list(j) as starts_with(j, '[')`,
  `is_map(j) as (starts_with(j, '{') and not vigil_is_date(j) and not vigil_is_binary(j))`,
  `is_digits(j) as regexp_full_match(j, '-?[0-9]+')`,
  `any_long(j) as case when vigil_is_digits(j) then try_cast(j::varchar as bigint) end`,
  `is_long(j) as coalesce(vigil_any_long(j) is not null, false)`,
  // A record may contain a number that no double can represent, and DuckDB keeps its text: only tests for null check
  // it, so that reading a value stays cheap.
  `is_huge(j) as (vigil_is_number(j) and (contains(j, 'e') or contains(j, 'E') or strlen(j) > 308)
    and not isfinite(try_cast(j::varchar as double)))`,
  `sound(j) as case when vigil_is_huge(j) then null else j end`,
  `typeof(j) as case when j is null then 'null' when vigil_is_text(j) then 'string'
    when vigil_is_number(j) then case when vigil_is_long(j) then 'long' when vigil_is_huge(j) then 'null' else 'double' end when vigil_is_bool(j) then 'bool'
    when vigil_is_list(j) then 'list' when vigil_is_date(j) then 'date' when vigil_is_binary(j) then 'binary' else 'map' end`,

  // Numbers.
  `finite(x) as case when isfinite(x) then x end`,
  `trunc_long(x) as try_cast(trunc(x) as bigint)`,
  `text_long(s) as case when regexp_full_match(s, ' *[+-]?[0-9]+ *') then try_cast(s as bigint) end`,
  `text_double(s) as case when regexp_full_match(s, ' *${NUMBER} *') then vigil_finite(try_cast(s as double)) end`,
  `text_fraction(s) as case when regexp_full_match(s, ' *[+-]?[0-9]+ *') and try_cast(s as bigint) is not null then null else vigil_text_double(s) end`,
  `text_number(s) as coalesce(to_json(vigil_text_long(s)), to_json(vigil_text_double(s)))`,
  `any_double(j) as case when vigil_is_number(j) then vigil_finite(try_cast(j::varchar as double))
    when vigil_is_text(j) then vigil_text_double(j->>'$') end`,
  `any_fraction(j) as case when vigil_any_long(j) is null then vigil_finite(try_cast(j::varchar as double)) end`,
  `any_number(j) as case when vigil_is_number(j) then j when vigil_is_text(j) then vigil_text_number(j->>'$') end`,
  `any_whole(j) as case when vigil_is_long(j) then vigil_any_long(j)
    when vigil_is_text(j) then coalesce(vigil_text_long(j->>'$'), vigil_trunc_long(vigil_text_double(j->>'$')))
    when vigil_is_number(j) then vigil_trunc_long(try_cast(j::varchar as double)) end`,
  `short(t) as case when ends_with(t, '.0') then left(t, length(t) - 2)
    when contains(t, 'e') and not contains(t, 'e-') then replace(t, 'e', 'e+') else t end`,
  `double_text(x) as case when x = 0 then '0' else vigil_short(to_json(x)::varchar) end`,

  // Dates.
  // DuckDB knows names of zones alone, no offsets such as +09:30.
  `is_fixed(z) as (ascii(z) = 43 or ascii(z) = 45)`,
  `fixed_offset(z) as (if(starts_with(z, '-'), -60000000, 60000000) * (substr(z, 2, 2)::bigint * 60 + right(z, 2)::bigint))`,
  `offset(t, z) as case when vigil_is_fixed(z) then vigil_fixed_offset(z) else epoch_us(t at time zone z) - epoch_us(t) end`,
  // `at time zone` takes the second of two equal wall-clock times; the offset of the day before gives the first. Each
  // `at time zone` is expensive to plan, so none is written twice.
  `first_of(w, t, z) as list_transform([make_timestamptz(epoch_us(w) - vigil_offset(make_timestamptz(epoch_us(t) - 86400000000), z))],
    lambda e: case when (e at time zone z) = w then e else t end)[1]`,
  `instant(w, z) as list_transform([case when w between ${EARLIEST_WALL} and ${LATEST_WALL} then w end],
    lambda wall: case when vigil_is_fixed(z) then vigil_date((epoch_us(wall) - vigil_fixed_offset(z)) // 1000)
      else list_transform([wall at time zone z], lambda t: vigil_date(epoch_ms(vigil_first_of(wall, t, z))))[1] end)[1]`,
  `offset_text(m, separator) as printf('%s%02d%s%02d', if(m < 0, '-', '+'), abs(m) // 60, separator, abs(m) % 60)`,
  `date_text(t, z) as list_transform([vigil_offset(t, z)], lambda o: strftime(make_timestamp(epoch_us(t) + o), '%Y-%m-%d %H:%M:%S')
    || vigil_offset_text(o // 60000000, ''))[1]`,
  `shifted(w, o) as vigil_date(epoch_ms(w) - if(starts_with(o, '-'), -60000, 60000) * (substr(o, 2, 2)::bigint * 60 + right(o, 2)::bigint))`,
  `text_date(s, z) as case when regexp_full_match(s, '${DAY}([ T]${CLOCK})?') then vigil_instant(try_cast(s as timestamp), z)
    when regexp_full_match(s, '${DAY}[ T]${CLOCK}Z') then vigil_date(epoch_ms(try_cast(left(s, length(s) - 1) as timestamp)))
    when regexp_full_match(s, '${DAY}[ T]${CLOCK}${OFFSET}')
    then vigil_shifted(try_cast(regexp_replace(s, '[+-][0-9:]*$', '') as timestamp), regexp_extract(s, '[+-][0-9:]*$')) end`,
  `any_date(j, z) as case when vigil_is_text(j) then vigil_text_date(j->>'$', z) when vigil_is_date(j) then vigil_tagged_date(j) end`,
  `of_date(t) as case when t is not null then json_object('$date', epoch_ms(t)) end`,
  // Whole numbers of stored records are longs, and no others are in a column of doubles.
  `of_number(x) as case when x = trunc(x) then to_json(x::bigint) else to_json(x) end`,
  `of_binary(b) as case when b is not null then json_object('$binary', to_base64(b)) end`,

  // Texts.
  `any_text(j, z) as case when vigil_is_text(j) then j->>'$' when vigil_is_bool(j) or vigil_is_long(j) then j::varchar
    when vigil_is_number(j) then vigil_double_text(vigil_finite(try_cast(j::varchar as double)))
    when vigil_is_date(j) then vigil_date_text(vigil_tagged_date(j), z)
    when j is not null then vigil_local('string', z, json_array(j))->>'$' end`,
  `upper(s) as case when contains(s, 'ß') then array_to_string(list_transform(str_split(s, 'ß'), lambda p: upper(p)), 'ß') else upper(s) end`,
  `slice(s, n, b, e) as case when b <= n then substr(s, b + 1, greatest(0, e - b)) end`,
  `bound(i, n) as if(i < 0, greatest(0, n + i), least(i, n + 1))`,
  `substr(s, i, k) as case when i is not null and k is not null
    then vigil_slice(s, length(s), vigil_bound(i, length(s)), least(length(s), vigil_bound(k, length(s)))) end`,
  `pad(s, i, p) as case when i is null or p is null then null when length(s) >= i or p = '' then '' when i - length(s) > 10000 then null
    else left(repeat(p::varchar, (i - length(s)) // length(p) + 1), i - length(s)) end`,
  `indexof(s, p, i) as case when s is null or p is null or i is null then null when i > length(s) then -1 when p = '' then greatest(i, 0)
    when instr(substr(s, greatest(i, 0) + 1), p) = 0 then -1
    else instr(substr(s, greatest(i, 0) + 1), p) - 1 + greatest(i, 0) end`,
  `lastindexof(s, p) as case when contains(s, p) then length(s) - length(str_split(s, p)[-1]) - length(p) when s is not null then -1 end`,

  // Truth, equality, order.
  `both_short(a, b) as (regexp_full_match(a, '-?[0-9]{1,15}') and regexp_full_match(b, '-?[0-9]{1,15}'))`,
  `equal(a, b, z) as case when a is null or b is null then false
    when vigil_is_text(a) and vigil_is_text(b) then a = b when vigil_is_bool(a) and vigil_is_bool(b) then a = b
    when vigil_both_short(a, b) then a = b else vigil_local('==', z, json_array(a, b)) = 'true' end`,
  `sign(x, y) as case when x < y then -1 when x > y then 1 when x = y then 0 end`,
  `compare(a, b, z) as case when a is null or b is null then null
    when vigil_is_text(a) and vigil_is_text(b) then vigil_sign(a->>'$', b->>'$')
    when vigil_both_short(a, b) then vigil_sign(a::varchar::bigint, b::varchar::bigint)
    else vigil_local('<', z, json_array(a, b))::varchar::bigint end`,
  `long_double(l, d) as case when l::double = d then vigil_sign(l::hugeint, d::hugeint) else vigil_sign(l::double, d) end`,
  `rank(j) as case when j is null then 0 when vigil_is_bool(j) then 1 when vigil_is_number(j) then if(vigil_is_huge(j), 0, 2)
    when vigil_is_date(j) then 3 when vigil_is_text(j) then 4 when vigil_is_list(j) then 5 when vigil_is_binary(j) then 7 else 6 end`,
  `key_number(j) as case when vigil_is_number(j) then vigil_finite(try_cast(j::varchar as double))
    when vigil_is_date(j) then epoch_ms(vigil_tagged_date(j))::double when vigil_is_bool(j) then (j = 'true')::int::double end`,
  `key_rest(j) as case when vigil_is_long(j) then vigil_any_long(j)::hugeint - vigil_any_long(j)::double::hugeint
    when vigil_is_number(j) then (vigil_finite(try_cast(j::varchar as double)) * 0)::hugeint end`,
  `key_text(j, z) as case when vigil_is_text(j) then j->>'$'
    when vigil_is_list(j) or starts_with(j, '{') and not vigil_is_date(j) then vigil_local('key', z, json_array(j))->>'$' end`,
  // One text for all values of a group; most values are their own text.
  `whole_text(d) as case when d = trunc(d) and abs(d) < 9223372036854775808 then d::hugeint::varchar else to_json(d)::varchar end`,
  `group(j, z) as case when vigil_is_text(j) then j::varchar
    when vigil_is_number(j) then case when strlen(j) < 19 and j <> '-0' and not contains(j, '.') and not contains(j, 'e') and not contains(j, 'E') then j::varchar
      else coalesce(vigil_any_long(j)::varchar, vigil_whole_text(vigil_finite(try_cast(j::varchar as double)))) end
    when vigil_is_list(j) or vigil_is_map(j) then 'k' || vigil_local('key', z, json_array(j)) else j::varchar end`,
  // One text for all values that may be equal by 4.2: a text shares the key of the number, date or boolean that can be
  // read from it.
  `double_key(d) as 'n' || (d + 0.0)::varchar`,
  `text_key(s, z) as case when ascii(s) between 32 and 57
      then coalesce(vigil_double_key(vigil_text_double(s)), 'd' || epoch_ms(vigil_text_date(s, z)), 's' || s)
    when s = 'true' or s = 'false' then 'b' || s else 's' || s end`,
  `equal_key(j, z) as case when vigil_is_text(j) then vigil_text_key(j->>'$', z)
    when vigil_is_number(j) then vigil_double_key(vigil_finite(try_cast(j::varchar as double))) when vigil_is_bool(j) then 'b' || j
    when vigil_is_date(j) then 'd' || epoch_ms(vigil_tagged_date(j)) when j is not null then 'k' || vigil_local('key', z, json_array(j)) end`,
  `key(j, z) as {'k': vigil_rank(j), 'n': vigil_key_number(j), 'r': vigil_key_rest(j), 's': vigil_key_text(j, z)}`,

  // Arithmetic on numbers whose type, long or double, is known only per row.
  `add(a, b) as if(vigil_is_long(a) and vigil_is_long(b), to_json(try(vigil_any_long(a) + vigil_any_long(b))),
    to_json(vigil_finite(try_cast(a::varchar as double) + try_cast(b::varchar as double))))`,
  `subtract(a, b) as if(vigil_is_long(a) and vigil_is_long(b), to_json(try(vigil_any_long(a) - vigil_any_long(b))),
    to_json(vigil_finite(try_cast(a::varchar as double) - try_cast(b::varchar as double))))`,
  `multiply(a, b) as if(vigil_is_long(a) and vigil_is_long(b), to_json(try(vigil_any_long(a) * vigil_any_long(b))),
    to_json(vigil_finite(try_cast(a::varchar as double) * try_cast(b::varchar as double))))`,
  `long_mod(a, b) as case when a is null then null when b = -1 then 0 when b <> 0 then a % b end`,
  `double_mod(a, b) as case when b <> 0 then vigil_finite(a % b) end`,
  `mod(a, b) as if(vigil_is_long(a) and vigil_is_long(b), to_json(vigil_long_mod(vigil_any_long(a), vigil_any_long(b))),
    to_json(vigil_double_mod(try_cast(a::varchar as double), try_cast(b::varchar as double))))`,
  `negate(a) as if(vigil_is_long(a), to_json(try(-vigil_any_long(a))), to_json(vigil_finite(-try_cast(a::varchar as double))))`,
  `abs(a) as if(vigil_is_long(a), to_json(try(abs(vigil_any_long(a)))), to_json(vigil_finite(abs(try_cast(a::varchar as double)))))`,
  `ceil(a) as if(vigil_is_long(a), a, to_json(vigil_finite(ceil(try_cast(a::varchar as double)))))`,
  `floor(a) as if(vigil_is_long(a), a, to_json(vigil_finite(floor(try_cast(a::varchar as double)))))`,
  `round(a) as if(vigil_is_long(a), a, to_json(vigil_finite(round(try_cast(a::varchar as double)))))`,
  // Cut to a multiple of a unit; the number of a double is already scaled.
  `long_floor(n, m) as (n - n % m - if(n % m < 0, m, 0))`,
  `long_ceil(n, m) as (n - n % m + if(n % m > 0, m, 0))`,
  `long_round(n, m) as (n - n % m + if(abs(n % m) * 2 >= m, if(n < 0, -m, m), 0))`,
  `double_round(k) as round(k)`,
  `double_floor(k) as case when abs(k - round(k)) < 1e-9 * abs(k) then round(k) else floor(k) end`,
  `double_ceil(k) as case when abs(k - round(k)) < 1e-9 * abs(k) then round(k) else ceil(k) end`,
  `epoch(x) as vigil_date(case when abs(x) < 1e11 then round(x * 1000) when abs(x) < 1e15 then round(x) end)`,

  // Addresses. `h` is an IPv6 address as 32 hexadecimal digits, `t` its groups with a colon before and after each.
  `is_ipv4(s) as regexp_full_match(s, '(${OCTET}[.]){3}${OCTET}')`,
  `ipv4(s) as ((split_part(s, '.', 1)::bigint * 256 + split_part(s, '.', 2)::bigint) * 256
    + split_part(s, '.', 3)::bigint) * 256 + split_part(s, '.', 4)::bigint`,
  `ipv4_text(n) as concat_ws('.', n // 16777216, n // 65536 % 256, n // 256 % 256, n % 256)`,
  `hex_number(x) as ('0x' || x)::bigint`,
  `is_ipv6(s) as regexp_full_match(s, '${IPV6}')`,
  `ipv6_plain(s) as list_transform([regexp_extract(s, '[0-9.]*$')], lambda v: case when vigil_is_ipv4(v)
    then left(s, length(s) - length(v)) || printf('%x:%x', vigil_ipv4(v) // 65536, vigil_ipv4(v) % 65536) end)[1]`,
  // Four digits for each group; 000- is where the omitted groups belong.
  `ipv6_padded(p) as array_to_string(list_transform(str_split(trim(replace(lower(p), '::', ':-:'), ':'), ':'), lambda g: lpad(g, 4, '0')), '')`,
  `ipv6_digits(p) as case when vigil_is_ipv6(p)
    then list_transform([vigil_ipv6_padded(p)], lambda x: replace(x, '000-', repeat('0', 36 - strlen(x))))[1] end`,
  `ipv6_hex(s) as case when contains(s, '.') then list_transform([vigil_ipv6_plain(s)], lambda p: vigil_ipv6_digits(p))[1]
    else vigil_ipv6_digits(s) end`,
  `is_mapped(h) as starts_with(h, '00000000000000000000ffff')`,
  `mapped_text(h) as vigil_ipv4_text(vigil_hex_number(right(h, 8)))`,
  `ipv6_short(t, z) as concat(substr(t, 2, greatest(instr(t, z) - 2, 0)), '::', left(substr(t, instr(t, z) + strlen(z)), -1))`,
  `ipv6_joined(t) as case when not contains(t, ${zeroGroups(2)}) then substr(t, 2, strlen(t) - 2) ${longestZeros.join(' ')} end`,
  `ipv6_text(h) as list_transform([':' || ${ipv6Groups.join(" || ':' || ")} || ':'], lambda t: vigil_ipv6_joined(t))[1]`,
  `hex_cut(d, unit) as substr('0123456789abcdef', 1 + (instr('0123456789abcdef', d) - 1) // unit * unit, 1)`,
  `ipv6_network(h, n) as rpad(left(h, n // 4) || case when n % 4 = 0 then '' else vigil_hex_cut(substr(h, n // 4 + 1, 1), 1::bigint << (4 - n % 4)) end, 32, '0')`,
] as const;

/** Functions that are volatile for DuckDB or call the local evaluator, and the macros over them. */
const FAILING = ['random', 'uuid', 'error', 'vigil_local', 'vigil_stopped'];
for (const macro of MACROS) {
  if (mayFail(macro)) FAILING.push(`vigil_${macro.slice(0, macro.indexOf('('))}`);
}

/** Whether SQL calls a function that may fail for other reasons than the value of a number. */
export function mayFail(text: string): boolean {
  return FAILING.some((name) => text.includes(`${name}(`));
}

/** The parser allows a depth of 256; each level may take several levels of SQL. */
const DEPTH = 'set global max_expression_depth = 20000';

/** In one transaction, which takes half the time of one for each macro. */
export const preludeStatements: readonly string[] = [
  DEPTH,
  ['begin', ...MACROS.map((macro) => `create or replace macro vigil_${macro}`), 'commit'].join(';\n'),
];
