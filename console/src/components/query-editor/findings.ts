// Errors, warnings and hints of a checked text as marks in the editor, each with its quick fixes.

import type { Diagnostic } from '@codemirror/lint';
import type { AnswerFor } from '#client/call.ts';

export type CheckedText = AnswerFor<'POST /api/core/queries/check'>;
export type Finding = CheckedText['mistakes'][number];
export type Findings = Pick<CheckedText, 'mistakes' | 'warnings' | 'hints'>;

/** Those of a text that begins at `start` of the checked one; what is wrong before it stands at its beginning. */
export function findingsBehind({ mistakes, warnings, hints }: Findings, start: number): Findings {
  const moved = <F extends { readonly begin: number; readonly end: number }>(findings: readonly F[]): F[] =>
    findings.map((finding) => ({
      ...finding,
      begin: Math.max(0, finding.begin - start),
      end: Math.max(0, finding.end - start),
    }));
  return { mistakes: moved(mistakes), warnings: moved(warnings), hints: moved(hints) };
}

interface Replacement {
  readonly insert: string;
  readonly begin: number;
  readonly end: number;
}

/** Texts that may take the place of a finding, or a wider one around it, each once. */
export function replacementsOf(
  { begin, end, suggestions }: Findings['mistakes'][number],
  hints: Findings['hints'],
): readonly Replacement[] {
  const offered = [
    ...hints.flatMap((hint) => (hint.replacement === null ? [] : [{ ...hint, insert: hint.replacement }])),
    ...suggestions.map((insert) => ({ insert, begin, end })),
  ];
  return [
    ...new Map(offered.map((one) => [one.insert, { insert: one.insert, begin: one.begin, end: one.end }])).values(),
  ];
}

/** `replaceWith` is the label of a quick fix. Places are in UTF-16 units, as those of the editor. */
export function diagnosticsOf(
  { mistakes, warnings, hints }: Findings,
  length: number,
  replaceWith: (text: string) => string,
): readonly Diagnostic[] {
  const marked = [
    ...mistakes.map((finding) => ({ finding, severity: 'error' as const })),
    ...warnings.map((finding) => ({ finding, severity: 'warning' as const })),
  ];
  return marked
    .map(({ finding, severity }) => {
      const own = hints.filter(
        ({ of, begin, end }) => of === finding.code && begin <= finding.begin && end >= finding.end,
      );
      return {
        from: Math.min(finding.begin, length),
        to: Math.min(finding.end, length),
        severity,
        message: [`${finding.message} (${finding.code})`, ...own.map(({ message }) => message)].join('\n'),
        actions: replacementsOf(finding, own).map(({ insert, begin, end }) => ({
          name: replaceWith(insert),
          // The editor has moved the place of the finding along with the text.
          apply: (view, at, to) => {
            const from = at - (finding.begin - begin);
            const changes = { from, to: to + (end - finding.end), insert };
            view.dispatch({ changes, selection: { anchor: from + insert.length } });
          },
        })),
      } satisfies Diagnostic;
    })
    .toSorted((one, other) => one.from - other.from);
}

/** The line of a place and the carets below it; long lines are cut around the place. */
export function excerptOf(
  text: string,
  { begin, end }: Pick<Finding, 'begin' | 'end'>,
): readonly [line: string, carets: string] {
  const first = text.lastIndexOf('\n', begin - 1) + 1;
  const next = text.indexOf('\n', begin);
  const last = next === -1 ? text.length : next;
  const from = Math.max(first, begin - EXCERPT);
  const to = Math.min(last, Math.max(end, begin + 1) + EXCERPT);
  const carets = Math.max(1, Math.min(end, to) - begin);
  return [text.slice(from, to), ' '.repeat(begin - from) + '^'.repeat(carets)];
}

const EXCERPT = 60;
