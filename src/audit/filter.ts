// Filters of audit entries as SQL for both databases. Values are always bound.

import {
  type Action,
  actionsContaining,
  actionsNamed,
  modulesNamed,
  outcomesContaining,
} from '#contract/labels/catalogue.ts';
import { searchKeyword } from '#kernel/search-text.ts';
import type { DialectName, Value } from '#store/connection.ts';

export interface Wanted {
  readonly keywords: readonly string[];
  readonly categories: readonly string[] | undefined;
  readonly actions: readonly string[] | undefined;
  readonly companies: readonly string[] | undefined;
  readonly from: Temporal.Instant | undefined;
  readonly to: Temporal.Instant | undefined;
}

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

export function conditionsOf(wanted: Wanted, dialect: DialectName): Condition[] {
  const { categories, actions, companies, from, to } = wanted;
  const conditions: Condition[] = [];
  if (from) conditions.push({ sql: 'e.created_at >= ?', values: [from.epochMilliseconds] });
  // The format has whole seconds, and `to` is inclusive: its whole last second counts.
  if (to) conditions.push({ sql: 'e.created_at < ?', values: [to.epochMilliseconds + 1000] });
  if (categories) conditions.push(anyAction(actionsOfModules(modulesNamed(categories))));
  if (actions) conditions.push(anyAction(actionsNamed(actions)));
  if (companies)
    conditions.push({ sql: `e.company_guid in (${itemsOf(dialect)})`, values: [JSON.stringify(companies)] });
  conditions.push(...allFound(needlesOf(wanted.keywords), dialect));
  return conditions;
}

export const whereOf = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? { sql: 'true', values: [] } : joined(conditions, 'and');

const joined = (conditions: readonly Condition[], word: 'and' | 'or'): Condition => ({
  sql: conditions.map(({ sql }) => `(${sql})`).join(` ${word} `),
  values: conditions.flatMap(({ values }) => values),
});

/** This many texts are compared one by one, which lets an index serve them; further ones are compared as one list. */
const TEXTS_BY_THEMSELVES = 10;

/** Needles with the same labels share a condition, so the statement stays small for any number of keywords. */
function allFound(needles: readonly Needle[], dialect: DialectName): Condition[] {
  const groups = Map.groupBy(needles, ({ actions, outcomes }) => JSON.stringify([actions, outcomes]));
  return [...groups.values()].map((group) => {
    const [first] = group;
    const texts = group.map(({ text }) => text);
    const inText = [...texts.slice(0, TEXTS_BY_THEMSELVES).map((text) => inOneText(text, dialect))];
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

/** The trigram index of PostgreSQL serves LIKE; plain substring search is fastest in SQLite. */
function inOneText(text: string, dialect: DialectName): Condition {
  if (dialect === 'sqlite') return { sql: 'instr(t.text, ?) > 0', values: [text] };
  return { sql: 't.text like ?', values: [`%${text.replace(/[\\%_]/g, '\\$&')}%`] };
}

const inEveryText = (texts: readonly string[], dialect: DialectName): Condition => ({
  sql: `not exists (select 1 from (${itemsOf(dialect)}) as sought where instr(t.text, sought.value) = 0)`,
  values: [JSON.stringify(texts)],
});

/** A SELECT of the texts in a JSON array, bound as one value. */
const itemsOf = (dialect: DialectName): string =>
  dialect === 'sqlite' ? 'select value from json_each(?)' : 'select jsonb_array_elements_text(?::jsonb) as value';

function anyAction(actions: readonly Action[]): Condition {
  if (actions.length === 0) return { sql: 'false', values: [] };
  return {
    sql: `(e.module, e.method) in (values ${actions.map(() => '(?, ?)').join(', ')})`,
    values: actions.flatMap(({ module, method }) => [module, method]),
  };
}

const actionsOfModules = (modules: readonly string[]): Action[] =>
  actionsContaining('').filter(({ module }) => modules.includes(module));
