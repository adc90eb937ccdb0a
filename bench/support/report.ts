// What a run found, as a table for the terminal, as a file for later, and as the page that shows all files.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { columns } from '#cli/kit/output/text-table.ts';
import { type Aim, type Bench, type Findings, isMet, type Row, ratioOf, type Unit } from './bench.ts';
import type { Machine } from './machine.ts';

const RESULTS = join(import.meta.dirname, '..', 'results');
const HEADINGS = ['what', 'value', 'yardstick', 'ratio', 'aim', 'met'];

export type RunContext = Pick<Result, 'date' | 'machine' | 'load'>;

export interface Result extends Findings {
  readonly name: string;
  readonly question: string;
  readonly yardstick: string;
  readonly aim: string;
  readonly date: string;
  readonly machine: Machine;
  /** How many processes wanted to run when the bench began: ratios of a busy machine are worth less. */
  readonly load: number;
}

export function resultOf(bench: Bench, findings: Findings, when: RunContext): Result {
  const { name, question, yardstick, aim } = bench;
  return { name, question, yardstick, aim, ...when, ...findings };
}

export function table({ rows }: Findings): string {
  return columns([HEADINGS, ...rows.map(cells)]).join('\n');
}

/** Also brings the page of all results up to date. */
export function keep(result: Result): void {
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, `${result.name}.json`), `${JSON.stringify(result, null, 2)}\n`);
  const files = readdirSync(RESULTS).filter((file) => file.endsWith('.json'));
  const kept = files.sort().map((file): Result => JSON.parse(readFileSync(join(RESULTS, file), 'utf8')));
  writeFileSync(join(RESULTS, 'README.md'), page(kept));
}

function page(results: readonly Result[]): string {
  const intro =
    'Made by `npm run bench` from the files beside it. Ratios were taken within one run; values are of that machine.';
  return `${['# Results', intro, ...results.flatMap(section)].join('\n\n')}\n`;
}

function section({ name, question, yardstick, aim, date, machine, load, rows, notes }: Result): string[] {
  const { cpu, cores, memoryGiB, platform, node } = machine;
  return [
    `## ${name}`,
    `${question}\nYardstick: ${yardstick}. Aim: ${aim}.`,
    [HEADINGS, HEADINGS.map(() => '---'), ...rows.map(cells)].map((row) => `| ${row.join(' | ')} |`).join('\n'),
    notes.map((note) => `- ${note}`).join('\n'),
    `${date}, ${cpu}, ${cores} cores, ${memoryGiB} GiB, ${platform}, Node ${node}, load before the run ${load.toFixed(1)}`,
  ];
}

function cells(row: Row): string[] {
  const ratio = ratioOf(row);
  const met = isMet(row);
  return [
    row.what,
    quantity(row.value, row.unit),
    row.yardstick === undefined ? '' : quantity(row.yardstick, row.unit),
    ratio === undefined ? '' : ratio.toFixed(2),
    row.aim ? aimText(row.aim, row.unit) : '',
    met === undefined ? '' : met ? 'yes' : 'NO',
  ];
}

const quantity = (value: number, unit: Unit) => `${rounded(value)}${unit === '/s' ? '' : ' '}${unit}`;

const aimText = ({ of, is, bound }: Aim, unit: Unit) => `${is} ${of === 'ratio' ? bound : quantity(bound, unit)}`;

const rounded = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(value >= 10 ? 1 : 2);
