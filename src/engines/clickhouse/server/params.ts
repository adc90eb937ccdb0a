// Values of statements as their parameters: the server reads them in the escaped form of its tab-separated format.

export type ParamValue = string | number | bigint | readonly (string | number | bigint)[];

export function paramText(value: ParamValue): string {
  if (typeof value === 'string') return escaped(value);
  if (typeof value === 'object') return `[${value.map(elementText).join(',')}]`;
  return String(value);
}

const elementText = (value: string | number | bigint): string =>
  typeof value === 'string' ? `'${escaped(value).replaceAll("'", "\\'")}'` : String(value);

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r', '\0': '\\0' };

const escaped = (text: string): string => text.replaceAll(/[\\\t\n\r\0]/g, (char) => ESCAPES[char] ?? char);
