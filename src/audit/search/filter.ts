// Filters of audit entries as SQL for both databases. Values are always bound.

import {
  type Action,
  actionsContaining,
  actionsNamed,
  modulesNamed,
  outcomesContaining,
} from '#contract/labels/catalogue.ts';
import { searchKeyword } from '#kernel/text/search-text.ts';
import type { DialectName, Value } from '#store/connection.ts';

export interface Wanted {
  readonly keywords: readonly string[];
  readonly categories: readonly string[] | undefined;
  readonly actions: readonly string[] | undefined;
  readonly companies: readonly string[] | undefined;
  readonly from: Temporal.Instant | undefined;
  readonly to: Temporal.Instant | undefined;
}

/** In epoch milliseconds; `to` is excluded. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/** The format has whole seconds, and `to` is inclusive: its whole last second counts. */
export const periodOf = ({ from, to }: Wanted): Period => ({
  from: from?.epochMilliseconds ?? Number.MIN_SAFE_INTEGER,
  to: to ? to.epochMilliseconds + 1000 : Number.MAX_SAFE_INTEGER,
});

const isEveryAction = ({ categories, actions, companies }: Wanted): boolean =>
  categories === undefined && actions === undefined && companies === undefined;

export const isOnlyPeriod = (wanted: Wanted): boolean => wanted.keywords.length === 0 && isEveryAction(wanted);

export const isOnlyKeywords = (wanted: Wanted): boolean =>
  wanted.from === undefined && wanted.to === undefined && isEveryAction(wanted);

/** A piece of a `where` clause over `audit_entries e join audit_texts t`. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly Value[];
}

/** A folded keyword, with the actions and outcomes whose labels contain it in any language. */
export interface Needle {
  readonly text: string;
  readonly actions: readonly Action[];
  readonly outcomes: { readonly succeeded: boolean; readonly failed: boolean };
}

export function needlesOf(keywords: readonly string[]): Needle[] {
  return [...new Set(keywords.map(searchKeyword))].map((text) => {
    return { text, actions: actionsContaining(text), outcomes: outcomesContaining(text) };
  });
}

/** True when only the stored text can match, so that a text index decides. */
export const isTextOnly = ({ actions, outcomes }: Needle): boolean =>
  actions.length === 0 && !outcomes.succeeded && !outcomes.failed;

/** Of all filters except the keywords. */
export function conditionsOf(wanted: Wanted, dialect: DialectName): Condition[] {
  const { categories, actions, companies } = wanted;
  const conditions: Condition[] = [];
  const { from, to } = periodOf(wanted);
  if (wanted.from) conditions.push({ sql: 'e.created_at >= ?', values: [from] });
  if (wanted.to) conditions.push({ sql: 'e.created_at < ?', values: [to] });
  if (categories) conditions.push(anyAction(actionsOfModules(modulesNamed(categories))));
  if (actions) conditions.push(anyAction(actionsNamed(actions)));
  if (companies)
    conditions.push({ sql: `e.company_guid in (${itemsOf(dialect)})`, values: [JSON.stringify(companies)] });
  return conditions;
}

export const whereOf = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? { sql: 'true', values: [] } : joined(conditions, 'and');

const joined = (conditions: readonly Condition[], word: 'and' | 'or'): Condition => ({
  sql: conditions.map(({ sql }) => `(${sql})`).join(` ${word} `),
  values: conditions.flatMap(({ values }) => values),
});

/** This many texts are compared one by one; further ones are compared as one list, so that the statement stays small. */
const TEXTS_BY_THEMSELVES = 10;

/** Needles with the same labels share a condition, so the statement stays small for any number of keywords. */
export function textConditions(needles: readonly Needle[], dialect: DialectName): Condition[] {
  const groups = Map.groupBy(needles, ({ actions, outcomes }) => JSON.stringify([actions, outcomes]));
  return [...groups.values()].map((group) => {
    const [first] = group;
    const texts = group.map(({ text }) => text);
    const inText = [...texts.slice(0, TEXTS_BY_THEMSELVES).map((text) => inOneText(text))];
    if (texts.length > TEXTS_BY_THEMSELVES) inText.push(inEveryText(texts.slice(TEXTS_BY_THEMSELVES), dialect));
    return joined([joined(inText, 'and'), ...inLabels(first)], 'or');
  });
}

function inLabels(needle: Needle | undefined): Condition[] {
  if (!needle) return [];
  const conditions: Condition[] = [];
  if (needle.actions.length > 0) conditions.push(anyAction(needle.actions));
  if (needle.outcomes.succeeded) conditions.push({ sql: 'e.error is null', values: [] });
  if (needle.outcomes.failed) conditions.push({ sql: 'e.error is not null', values: [] });
  return conditions;
}

const inOneText = (text: string): Condition => ({ sql: 'instr(t.text, ?) > 0', values: [text] });

const inEveryText = (texts: readonly string[], dialect: DialectName): Condition => ({
  sql: `not exists (select 1 from (${itemsOf(dialect)}) as sought where instr(t.text, sought.value) = 0)`,
  values: [JSON.stringify(texts)],
});

/** A SELECT of the texts in a JSON array, bound as one value. */
const itemsOf = (dialect: DialectName): string =>
  dialect === 'sqlite' ? 'select value from json_each(?)' : 'select jsonb_array_elements_text(?::jsonb) as value';

/** That a column of numbers has one of these. They are bound as one value. */
export const isOneOf = (column: string, numbers: readonly number[], dialect: DialectName): Condition =>
  dialect === 'sqlite'
    ? { sql: `${column} in (select value from json_each(?))`, values: [JSON.stringify(numbers)] }
    : { sql: `${column} = any(?::bigint[])`, values: [`{${numbers.join(',')}}`] };

function anyAction(actions: readonly Action[]): Condition {
  if (actions.length === 0) return { sql: 'false', values: [] };
  return {
    sql: `(e.module, e.method) in (values ${actions.map(() => '(?, ?)').join(', ')})`,
    values: actions.flatMap(({ module, method }) => [module, method]),
  };
}

const actionsOfModules = (modules: readonly string[]): Action[] =>
  actionsContaining('').filter(({ module }) => modules.includes(module));
