// Constants that generated expressions are made with: patterns, units, spans, formats.

import { quoted } from '#query/language/strings.ts';
import { CHARSETS } from '#query/values/text/charsets.ts';
import { GROUP } from '#test/support/expressions.ts';

const ZONES = [
  '"UTC"',
  '"UTC+9"',
  '"-0330"',
  '"+14:00"',
  '"America/New_York"',
  '"Asia/Seoul"',
  '"Australia/Lord_Howe"',
  '"America/Sao_Paulo"',
];
const UNITS = ['"year"', '"mon"', '"week"', '"day"', '"hour"', '"min"', '"sec"', '"msec"'];
const LOCALES = ['"en"', '"ko"'];

/** Constants that a declared constant may be, by function and place. */
export const CONSTANTS: Readonly<Record<string, Readonly<Record<number, readonly string[]>>>> = {
  match: {
    1: [
      ...[
        '"\\\\d+$"',
        '"^.*$"',
        '"(?i)mixed"',
        '"a|b"',
        '"(?P<x>[가-힣]+)"',
        '"(?<y>.)(?<z>b)?"',
        '"\\\\bx\\\\b"',
        '""',
      ],
      ...[
        '"[[:alpha:]]\\\\W"',
        '"(?s)^.+$"',
        '"(?m)^line2$"',
        '"^\\\\s"',
        '"\\\\S$"',
        '"(?i)STRASSE|straße|ſ|K"',
        '"\\\\pL{2,}"',
        '"[^a-z]"',
      ],
      ...[
        '"\\\\x{1F600}"',
        '"(a|ab)(c|bcd)*"',
        '"(?U)a+"',
        '"\\\\Q.*\\\\E"',
        '"^$"',
        '"^^"',
        '"a^"',
        '"$$"',
        '"\\\\B"',
        '"(?i)é"',
        '"\\\\A5\\\\z"',
        '"\\\\p{Hangul}"',
        '"."',
      ],
    ],
  },
  encrypt: { 0: ['"AES/CBC"', '"aes/gcm"'], 1: ['$("secret_key")'] },
  decrypt: { 0: ['"AES/CBC"', '"aes/gcm"'], 1: ['$("secret_key")'] },
  kvjoin: { 0: ['"="'], 1: ['","', '""'], 2: ['"^[a-m]"', '"."'] },
  matchblackip: { 0: [quoted(GROUP)] },
  matchport: { 0: [quoted(GROUP)] },
  xpath: { 1: ['"/e/*"', '"//@n"', '"//x[last()]/text()"'] },
  groups: {
    1: [
      ...[
        '"(\\\\w)=(\\\\w)"',
        '"(\\\\d+)(x)?"',
        '"(?<a>[^.]*)\\\\.(.*)"',
        '"a"',
        '"()"',
        '"(a)|(b)"',
        '"(a*)(.*)"',
        '"((a)(b))?c?"',
        '"^(.)(.)?"',
      ],
      ...['"(?s)(.)$"', '"(?i)(M)(?:I)(x)"', '"(\\\\D*)(\\\\d*)$"', '"(a*?)(a*)"'],
    ],
  },
  string: {
    1: [
      ...[
        '"yyyy/MM/dd HH:mm:ss.SSS"',
        '"yy M d h:m:s a E"',
        '"EEEE, d MMMM yyyy"',
        '"u DDD D Z XXX"',
        '"\'at\' HH%X"',
        '""',
      ],
      ...['"S SS H XX MMM"', '"hh a"', "\"''yyyy''\"", '"한 yyyy년"', '"yyyy-MM-dd\'T\'HH:mm:ssXXX"', '"%Y %d %"'],
    ],
    2: ZONES,
    3: LOCALES,
  },
  date: {
    1: [
      ...[
        '"dd/MM/yyyy"',
        '"yyyy-MM-dd"',
        '"yyyy-MM-dd HH:mm:ss"',
        '"yyyy-MM-dd\'T\'HH:mm:ss.SSSX"',
        '"H"',
        '"yyyy-M-d"',
      ],
      ...[
        '"d/M/yyyy"',
        '"yyyy-MM-dd HH:mm"',
        '"yyyy-MM-dd HH:mm:ssXXX"',
        '"yyyy-MM-dd HH:mmZ"',
        '"D"',
        '"m"',
        '"yy"',
        '"s"',
        '"MM"',
      ],
    ],
    2: ZONES,
    3: LOCALES,
  },
  binary: { 1: CHARSETS.map(quoted) },
  decode: { 1: CHARSETS.map(quoted) },
  urlencode: { 1: CHARSETS.map(quoted) },
  urldecode: { 1: CHARSETS.map(quoted) },
  hash: { 0: ['"md5"', '"sha1"', '"sha256"', '"sha384"', '"sha512"'] },
  dateadd: { 1: UNITS },
  datediff: { 2: UNITS },
  datetrunc: {
    1: [
      ...[
        '"1s"',
        '"10s"',
        '"7s"',
        '"5m"',
        '"7m"',
        '"90m"',
        '"1h"',
        '"2h"',
        '"5h"',
        '"6h"',
        '"24h"',
        '"1d"',
        '"2d"',
        '"7d"',
        '"1w"',
        '"2w"',
      ],
      ...['"1mon"', '"2mon"', '"3mon"', '"4mon"', '"6mon"', '"1y"'],
    ],
    2: ['"0s"', '"90s"', '"9h"', '"1d"', '"30m"', '"2d"'],
  },
  datepart: {
    1: ['year', 'quarter', 'mon', 'day', 'hour', 'min', 'sec', 'msec', 'dow', 'isodow', 'doy', 'week', 'epoch'].map(
      quoted,
    ),
  },
  ago: { 0: ['"1d"', '"90m"', '"3mon"', '"1y"', '"0s"', '"2w"'] },
  matchnet: { 0: [quoted(GROUP)] },
  replace: { 3: ['"re"'] },
};

export const REPLACED = [
  ...[
    '"(\\\\w)-?(\\\\w)"',
    '"a*"',
    '"[0-9]"',
    '"(x)|."',
    '"^"',
    '"$"',
    '"\\\\b"',
    '""',
    '"(?m)^"',
    '"(a)|(b)"',
    '"b*?"',
  ],
  ...['"(?i)[à-é]"', '"😀"', '"(?s)."', '"\\\\s+"', '"(.)(.)"', '"\\\\B"'],
];
export const REPLACEMENTS = [
  '"$2.$1"',
  '"<$0>"',
  '"$$\\\\1"',
  '""',
  '"$9"',
  '"$"',
  '"$a"',
  '"\\\\0"',
  '"$10"',
  '"😀"',
  '"\\\\$1\\\\\\\\$1"',
  '"$1\\\\"',
];
