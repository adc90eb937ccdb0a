// The tables of the reference, in words: the page and the Markdown document only lay them out. Code is set in backticks.

import { code } from '#docs/markdown.ts';
import type { OperationFacts } from '#docs/openapi/operation-facts.ts';
import { standingErrors } from '#docs/openapi/standing-errors.ts';
import type { RawBody } from '#operations/endpoint.ts';

export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export function errorTable(): Table {
  const rows = standingErrors().map(({ when, example }) => [
    String(example.status),
    code(example.code),
    code(example.message),
    when,
  ]);
  return { head: ['Status', 'error_code', 'error_msg, for example', 'When'], rows };
}

export function parameterTable({ parameters }: OperationFacts): Table {
  const rows = parameters.map(({ name, isRequired, type, locations, rule, initial }) => [
    code(name),
    isRequired ? 'yes' : '',
    type,
    locations.join(' or '),
    rule,
    initial,
  ]);
  return { head: ['Parameter', 'Required', 'Type', 'In', 'Meaning', 'Default'], rows };
}

export function fieldTable({ fields }: OperationFacts): Table {
  return {
    head: ['Answer field', 'Type', 'Meaning'],
    rows: fields.map(({ name, type, rule }) => [code(name), type, rule]),
  };
}

/** What is said in a line each. */
export function remarksOf(facts: OperationFacts): [name: string, text: string][] {
  const { permission, audit, rawBody, answerHeaders } = facts;
  const remarks: [string, string][] = [
    ['Permission', permission],
    ['Audit action', audit],
    ['Body', rawBody ? bodyText(rawBody) : ''],
    ['Answer', answerText(facts)],
    ...Object.entries(answerHeaders).map(([name, text]): [string, string] => [`Header ${code(name)}`, text]),
  ];
  return remarks.filter(([, text]) => text !== '');
}

function bodyText({ types, isStreamed }: RawBody): string {
  const size = isStreamed
    ? 'of any length, taken in as it arrives'
    : 'at most as long as the setting `push-limit` says';
  return `${types.map(code).join(' or ')}, ${size}`;
}

function answerText({ method, answer, answerType, answerStatus }: OperationFacts): string {
  const status = answerStatus === 200 ? '' : `${answerStatus}, `;
  if (answerStatus === 204 || method === 'HEAD') return `${status}no body`;
  const isEmpty = answer.properties !== undefined && Object.keys(answer.properties as object).length === 0;
  return `${status}${code(answerType)}${isEmpty ? ', an empty object' : ''}`;
}
