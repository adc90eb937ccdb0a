// The tables of the reference, in words: the page and the Markdown document only lay them out. Code is set in backticks.

import { code } from './markdown.ts';
import type { OperationFacts } from './operation-facts.ts';
import { standingErrors } from './standing-errors.ts';

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
  const rows = parameters.map(({ name, isRequired, type, places, rule, initial }) => [
    code(name),
    isRequired ? 'yes' : '',
    type,
    places.join(' or '),
    rule,
    initial,
  ]);
  return { head: ['Parameter', 'Required', 'Type', 'In', 'Rule', 'Default'], rows };
}

export function fieldTable({ fields }: OperationFacts): Table {
  return {
    head: ['Answer field', 'Type', 'Rule'],
    rows: fields.map(({ name, type, rule }) => [code(name), type, rule]),
  };
}

/** What is said in a line each. */
export function remarksOf(facts: OperationFacts): [name: string, text: string][] {
  const { permission, audit, rawBody, answer, answerType } = facts;
  const isEmpty = answer.properties !== undefined && Object.keys(answer.properties as object).length === 0;
  const remarks: [string, string][] = [
    ['Permission', permission],
    ['Audit action', audit],
    ['Body', rawBody ? `${rawBody.types.map(code).join(' or ')}, at most ${rawBody.limitBytes} bytes` : ''],
    ['Answer', isEmpty ? `${code(answerType)}, an empty object` : code(answerType)],
  ];
  return remarks.filter(([, text]) => text !== '');
}
