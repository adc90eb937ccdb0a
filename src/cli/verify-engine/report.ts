// The report of a verification, as text for people or as JSON for programs.

import type { Invocation } from '#cli/kit/command.ts';
import { countText } from '#cli/kit/output/numbers.ts';
import { printJson } from '#cli/kit/output/records.ts';
import { columns, printable } from '#cli/kit/output/text-table.ts';
import type { Translator } from '#cli/kit/translator.ts';
import { productManifest } from '#docs/product.ts';
import type { Disagreement, Findings, ShownAnswer, UnansweredPipeline } from '#verification/verification.ts';
import type { EngineReport } from '#verification/verify-engine.ts';

export function printReport(invocation: Invocation, report: EngineReport): void {
  const { flags, translator, print } = invocation;
  if (flags.json) printJson(invocation, jsonOf(report));
  else for (const line of linesOf(report, translator)) print(printable(line));
}

function linesOf(report: EngineReport, translator: Translator): string[] {
  const { findings } = report;
  const facts = columns(factsOf(report, translator)).map((line) => `  ${line}`);
  const disagreements = findings.reported.flatMap((one, index) => disagreementLines(one, index + 1, translator));
  const unanswered = findings.reportedUnanswered.flatMap((one, index) => unansweredLines(one, index + 1, translator));
  return [headline(findings, translator), '', ...facts, ...disagreements, ...unanswered];
}

function headline({ disagreements, pipelines, unanswered }: Findings, { text }: Translator): string {
  if (disagreements > 0) {
    return text('verify-engine-different', { count: countText(disagreements), pipelines: countText(pipelines) });
  }
  return unanswered === 0
    ? text('verify-engine-equal')
    : text('verify-engine-incomplete', { count: countText(unanswered) });
}

function factsOf(
  { servers, database, tables, leftOut, seed, findings }: EngineReport,
  { text }: Translator,
): string[][] {
  const { samples, records, changedSamples } = findings;
  const counts = { samples: countText(samples), records: countText(records), changed: countText(changedSamples) };
  return [
    ...servers.map(({ server, version }) => [text('verify-engine-server'), `${server}, ClickHouse ${version}`]),
    [text('verify-engine-vigil'), productManifest().version],
    [text('verify-engine-database'), database],
    [text('verify-engine-tables'), tables.join(', ')],
    ...(leftOut.length === 0 ? [] : [[text('verify-engine-left-out'), leftOut.join(', ')]]),
    [text('verify-engine-samples'), text('verify-engine-sample-counts', counts)],
    [text('verify-engine-pipelines'), countText(findings.pipelines)],
    [text('verify-engine-rows'), countText(findings.rows)],
    [text('verify-engine-filtered'), countText(findings.filtered)],
    [text('verify-engine-condensed'), countText(findings.condensed)],
    ...(findings.refused === 0 ? [] : [[text('verify-engine-refused-alike'), countText(findings.refused)]]),
    ...(findings.unanswered === 0 ? [] : [[text('verify-engine-unanswered'), countText(findings.unanswered)]]),
    [text('verify-engine-seed'), String(seed)],
  ];
}

function disagreementLines(one: Disagreement, number: number, { text }: Translator): string[] {
  const { query, zone, node, clickhouse, statements } = one;
  return [
    '',
    text('verify-engine-disagreement', { number: String(number), zone }),
    `  ${query}`,
    ...answerLines(node, text('verify-engine-node'), text),
    ...answerLines(clickhouse, text('verify-engine-clickhouse'), text),
    ...(statements.length === 0 ? [] : [`  ${text('verify-engine-statements')}`]),
    ...statements.map((statement) => `    ${statement.replaceAll(/\s+/g, ' ')}`),
  ];
}

function unansweredLines({ query, zone, side, reason }: UnansweredPipeline, number: number, { text }: Translator) {
  return [
    '',
    text('verify-engine-unanswered-pipeline', { number: String(number), zone, side: text(`verify-engine-${side}`) }),
    `  ${query}`,
    `  ${reason}`,
  ];
}

function answerLines(answer: ShownAnswer, side: string, text: Translator['text']): string[] {
  if ('error' in answer) return [`  ${text('verify-engine-answer-error', { side })}`, `    ${answer.error}`];
  const { count, rows } = answer;
  const more =
    count > rows.length ? [`    ${text('verify-engine-unshown', { count: countText(count - rows.length) })}`] : [];
  const title = text('verify-engine-answer-rows', { side, count: countText(count) });
  return [`  ${title}`, ...rows.map((row) => `    ${row}`), ...more];
}

function jsonOf({ servers, database, tables, leftOut, seed, findings }: EngineReport): object {
  const { samples, records, changedSamples, pipelines, rows, filtered, condensed } = findings;
  const { refused, unanswered, disagreements } = findings;
  return {
    equal: disagreements === 0 && unanswered === 0,
    servers,
    vigil: productManifest().version,
    database,
    tables,
    left_out: leftOut,
    seed,
    samples,
    records,
    changed_samples: changedSamples,
    pipelines,
    rows,
    level_1: filtered,
    level_2: condensed,
    refused,
    unanswered,
    disagreement_count: disagreements,
    disagreements: findings.reported,
    unanswered_pipelines: findings.reportedUnanswered,
  };
}
