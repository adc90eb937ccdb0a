// Which audit entries are wanted, as SQL that both databases read alike. Values are always bound.

import {
  type Action,
  actionsContaining,
  actionsNamed,
  modulesNamed,
  outcomesContaining,
} from '#contract/labels/catalogue.ts';
import { folded } from '#kernel/folded.ts';
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

/** A keyword, folded, with what it finds in the labels of any language. */
export interface Needle {
  readonly text: string;
  readonly actions: readonly Action[];
  readonly outcomes: { readonly succeeded: boolean; readonly failed: boolean };
}

export function needlesOf(keywords: readonly string[]): Needle[] {
  return keywords.map((keyword) => {
    const text = folded(keyword);
    return { text, actions: actionsContaining(text), outcomes: outcomesContaining(text) };
  });
}

/** True when only the stored text can match, so that an index over it decides. */
export const isTextOnly = ({ actions, outcomes }: Needle): boolean =>
  actions.length === 0 && !outcomes.succeeded && !outcomes.failed;

export function conditionsOf(wanted: Wanted, dialect: DialectName): Condition[] {
  const { categories, actions, companies, from, to } = wanted;
  const conditions: Condition[] = [];
  if (from) conditions.push({ sql: 'e.created_at >= ?', values: [from.epochMilliseconds] });
  // The format names whole seconds, and `to` is inclusive: the whole of its last second counts.
  if (to) conditions.push({ sql: 'e.created_at < ?', values: [to.epochMilliseconds + 1000] });
  if (categories) conditions.push(anyAction(actionsOfModules(modulesNamed(categories))));
  if (actions) conditions.push(anyAction(actionsNamed(actions)));
  if (companies) conditions.push({ sql: `e.company_guid in (${places(companies)})`, values: companies });
  for (const needle of needlesOf(wanted.keywords)) conditions.push(found(needle, dialect));
  return conditions;
}

export const whereOf = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0
    ? { sql: 'true', values: [] }
    : {
        sql: conditions.map(({ sql }) => `(${sql})`).join(' and '),
        values: conditions.flatMap(({ values }) => values),
      };

function found(needle: Needle, dialect: DialectName): Condition {
  const alternatives = [inText(needle.text, dialect)];
  if (needle.actions.length > 0) alternatives.push(anyAction(needle.actions));
  if (needle.outcomes.succeeded) alternatives.push({ sql: 'e.error is null', values: [] });
  if (needle.outcomes.failed) alternatives.push({ sql: 'e.error is not null', values: [] });
  return {
    sql: alternatives.map(({ sql }) => `(${sql})`).join(' or '),
    values: alternatives.flatMap(({ values }) => values),
  };
}

/** PostgreSQL's trigram index serves LIKE; SQLite's plain search for a substring is its fastest. */
function inText(text: string, dialect: DialectName): Condition {
  if (dialect === 'sqlite') return { sql: 'instr(t.text, ?) > 0', values: [text] };
  return { sql: 't.text like ?', values: [`%${text.replace(/[\\%_]/g, '\\$&')}%`] };
}

function anyAction(actions: readonly Action[]): Condition {
  if (actions.length === 0) return { sql: 'false', values: [] };
  return {
    sql: `(e.module, e.method) in (values ${actions.map(() => '(?, ?)').join(', ')})`,
    values: actions.flatMap(({ module, method }) => [module, method]),
  };
}

const actionsOfModules = (modules: readonly string[]): Action[] =>
  actionsContaining('').filter(({ module }) => modules.includes(module));

const places = (items: readonly unknown[]) => items.map(() => '?').join(', ');
