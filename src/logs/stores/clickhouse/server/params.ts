// Values of statements as their parameters: the server reads them in the escaped form of its tab-separated format.

export type ParamValue = string | number | bigint | readonly (string | number | bigint)[];

export function paramText(value: ParamValue): string {
  if (typeof value === 'string') return escaped(value);
  if (typeof value === 'object') return `[${value.map(elementText).join(',')}]`;
  return String(value);
}

/** A fraction as the bits that `reinterpretAsFloat64` takes: servers before 26.7 read the last digits of a text wrongly. */
export function doubleBits(value: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return String(view.getBigUint64(0));
}

const elementText = (value: string | number | bigint): string =>
  typeof value === 'string' ? `'${escaped(value).replaceAll("'", "\\'")}'` : String(value);

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r', '\0': '\\0' };

const escaped = (text: string): string => text.replaceAll(/[\\\t\n\r\0]/g, (char) => ESCAPES[char] ?? char);
