// The built-in parsers: each makes the JSON text of a record out of a line of text. A logger model names one by its code.

export interface Parser {
  readonly code: string;
  readonly name: string;
  readonly description: string;
  /** The record as JSON text, which need not be well-formed: it is checked like any other. */
  parse(line: string): string;
}

export const TEXT_PARSER: Parser = {
  code: 'text',
  name: 'Text',
  description: 'Each line becomes the field `line`.',
  parse: (line) => JSON.stringify({ line }),
};

export const PARSERS: readonly Parser[] = [
  {
    code: 'json',
    name: 'JSON',
    description: 'Each line is one JSON object.',
    parse: (line) => line.trim(),
  },
  TEXT_PARSER,
];

export const parserNamed = (code: string): Parser | undefined => PARSERS.find((parser) => parser.code === code);
