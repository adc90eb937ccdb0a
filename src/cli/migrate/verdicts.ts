// Judges the objects of a folder in the order in which they would be created: each text may name what is there by then.

import type { Client } from '#cli/kit/client.ts';
import { checkQuery } from '#cli/kit/failures/findings.ts';
import type { Translator } from '#cli/kit/translator.ts';
import { ApiError, unusableCommandName } from '#contract/errors.ts';
import { runToEnd } from '#kernel/sliced-work.ts';
import type { Params, ReadContext } from '#operations/params/params.ts';
import { rawValueOf } from '#operations/requests/raw-params.ts';
import { calledNames } from '#query/called-procedures.ts';
import { mayBeCommand } from '#query/command-names.ts';
import { messageOf } from '#query/model/messages.ts';
import { hintReportsOf, positionOf, QueryError, type QueryWarning } from '#query/model/query-error.ts';
import { checkParser, checkQuery as checkText } from '#query/query.ts';
import { allEndpoints } from '#resources/index.ts';
import type { Kind } from './export-folder.ts';
import type { ExportedObject, QueryText } from './exported-objects.ts';
import type { Finding } from './finding.ts';
import { type Installation, procedureOf } from './installation.ts';

export const STATUSES = ['ok', 'warning', 'refused', 'exists'] as const;
export type Status = (typeof STATUSES)[number];

export interface Verdict {
  readonly object: ExportedObject;
  readonly status: Status;
  readonly findings: readonly Finding[];
}

interface JudgeDeps {
  readonly client: Client;
  readonly installation: Installation;
  readonly translator: Translator;
}

/** Objects of the folder that are to be created, in the order of kinds. */
export async function verdictsOn(objects: readonly ExportedObject[], deps: JudgeDeps): Promise<Verdict[]> {
  const judge = new Judge(deps);
  const marked = ordered(withCommands(objects), deps.translator);
  const parsers = await judge.parsers(marked.filter(isParser));
  const verdicts: Verdict[] = [];
  for (const object of marked)
    verdicts.push((isParser(object) && parsers.get(object.name)) || (await judge.verdict(object)));
  return verdicts;
}

const isParser = ({ kind }: ExportedObject) => kind === 'parser';

class Judge {
  readonly #deps: JudgeDeps;
  readonly #context: ReadContext = { now: Temporal.Now.instant(), maxGuids: 1000 };

  constructor(deps: JudgeDeps) {
    this.#deps = deps;
  }

  async verdict(object: ExportedObject): Promise<Verdict> {
    const { installation } = this.#deps;
    if (installation.has(object)) return { object, status: 'exists', findings: [] };
    const known = object.findings.some(({ severity }) => severity === 'error');
    const findings = known ? object.findings : [...object.findings, ...(await this.#findings(object))];
    const status = statusOf(findings);
    if (status !== 'refused') installation.add(object);
    return { object, status, findings };
  }

  /** By name. Parsers may run one another, in any order: the refused are judged again as long as others are accepted. */
  async parsers(objects: readonly ExportedObject[]): Promise<Map<string, Verdict>> {
    const verdicts = new Map<string, Verdict>();
    for (let pending = objects; pending.length > 0; ) {
      for (const object of pending) verdicts.set(object.name, await this.verdict(object));
      const refused = pending.filter(({ name }) => verdicts.get(name)?.status === 'refused');
      if (refused.length === pending.length) break;
      pending = refused;
    }
    return verdicts;
  }

  async #findings(object: ExportedObject): Promise<Finding[]> {
    const complaint = complaintAbout(object, this.#context);
    if (complaint) return [{ severity: 'error', code: complaint.code, message: complaint.message }];
    if (object.kind === 'parser') return this.#parserFindings(object);
    const found: Finding[] = [];
    for (const text of object.texts) found.push(...(await this.#textFindings(object, text)));
    // A dashboard is stored whatever its panels ask: each runs with the rights of its reader.
    return object.kind === 'dashboard' ? found.map((one) => ({ ...one, severity: 'warning' as const })) : found;
  }

  #parserFindings({ fields }: ExportedObject): Finding[] {
    if (fields.factory_name !== 'query') return [];
    const { query } = (fields.configs ?? {}) as { readonly query?: unknown };
    const text = { text: String(query ?? ''), line: 1, isPlain: false };
    return this.#within(text, () => runToEnd(checkParser(text.text, this.#deps.installation.context)).warnings);
  }

  async #textFindings(object: ExportedObject, text: QueryText): Promise<Finding[]> {
    const { context } = this.#deps.installation;
    const isProcedure = object.kind === 'procedure';
    const parameters = procedureOf(object.name, object.fields).parameters.map(({ key, type }) => ({ name: key, type }));
    const given = { ...context, ...(isProcedure ? { parameters } : {}), isCheck: true as const };
    const found = this.#within(text, () => checkText(text.text, given).warnings);
    return found.some(({ severity }) => severity === 'error') ? found : [...found, ...(await this.#ofService(text))];
  }

  #within(text: QueryText, check: () => readonly QueryWarning[]): Finding[] {
    const { language } = this.#deps.translator;
    const reported = (severity: Finding['severity'], found: QueryError | QueryWarning): Finding => {
      const { code, begin, values } = found;
      const hints = hintReportsOf(found, language);
      const replacement = hints.find((one) => one.replacement !== null)?.replacement;
      const message = [messageOf(code, values, language), ...hints.map((hint) => hint.message)].join('; ');
      return { severity, line: lineOf(text, begin), code, message, ...(replacement ? { replacement } : {}) };
    };
    try {
      return check().map((warning) => reported('warning', warning));
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      const warnings = error.warnings.map((warning) => reported('warning', warning));
      return [...[error, ...error.further].map((one) => reported('error', one)), ...warnings];
    }
  }

  /** Hosts and folders are settings that only the service knows. */
  async #ofService(text: QueryText): Promise<Finding[]> {
    if (!REACHES_OUT.test(text.text)) return [];
    const { mistakes } = await checkQuery(this.#deps.client, { text: text.text, params: '{}' });
    return mistakes
      .filter(({ code }) => SETTINGS_CODES.has(code))
      .map(({ code, begin, message }) => ({ severity: 'error', line: lineOf(text, begin), code, message }));
  }
}

/** Commands that need a host or a folder. */
const REACHES_OUT = /wget|file|output(?:csv|json|txt)/;
const SETTINGS_CODES = new Set([10800, 20701, 20702, 30100, 30103]);

const lineOf = ({ text, line, isPlain }: QueryText, begin: number): number =>
  isPlain ? line + positionOf(text, begin).line - 1 : line;

function statusOf(findings: readonly Finding[]): Status {
  if (findings.some(({ severity }) => severity === 'error')) return 'refused';
  return findings.length > 0 ? 'warning' : 'ok';
}

const OPERATIONS: Readonly<Partial<Record<Kind, string>>> = {
  table: '/api/core/tables',
  parser: '/api/core/parsers',
  lookup: '/api/core/lookups',
  procedure: '/api/core/procedures',
  dataset: '/api/core/datasets',
  schedule: '/api/core/scheduled-queries',
  dashboard: '/api/core/dashboards',
};

/** The complaint of the operation that would create the object, about its parameters alone. */
function complaintAbout({ kind, name, fields }: ExportedObject, context: ReadContext): ApiError | undefined {
  const path = OPERATIONS[kind];
  const endpoint = allEndpoints().find((one) => one.method === 'POST' && one.path === path);
  try {
    readAll(endpoint?.params ?? {}, fields, context);
    if (kind === 'procedure' && fields.command === true && !mayBeCommand(name)) return unusableCommandName(name);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

function readAll(params: Params, fields: ExportedObject['fields'], context: ReadContext): void {
  const earlier: Record<string, unknown> = {};
  for (const [name, reader] of Object.entries(params)) {
    const raw = fields[name] === undefined ? undefined : rawValueOf(fields[name]);
    earlier[name] = reader.read(raw === undefined ? [] : [raw], name, context, earlier);
  }
}

/** Marks procedures whose names other texts of the folder use as commands. */
function withCommands(objects: readonly ExportedObject[]): ExportedObject[] {
  const used = new Map<string, Set<ExportedObject>>();
  for (const object of objects)
    for (const { text } of object.texts)
      for (const word of runToEnd(calledNames(text)).words) used.set(word, (used.get(word) ?? new Set()).add(object));
  return objects.map((object) => {
    const users = object.kind === 'procedure' ? used.get(object.name) : undefined;
    const isUsed = users !== undefined && [...users].some((user) => user !== object);
    return isUsed && mayBeCommand(object.name) ? { ...object, fields: { ...object.fields, command: true } } : object;
  });
}

/** Procedures behind those that they call. One that calls itself, through others too, cannot be created. */
function ordered(objects: readonly ExportedObject[], translator: Translator): ExportedObject[] {
  const procedures = new Map(objects.filter(({ kind }) => kind === 'procedure').map((one) => [one.name, one]));
  const calls = new Map([...procedures.values()].map((one) => [one.name, calledBy(one, procedures)]));
  const done = new Set<string>();
  const sorted: ExportedObject[] = [];
  for (const name of procedures.keys()) visit(name);
  const first = objects.findIndex(({ kind }) => kind === 'procedure');
  return first === -1
    ? [...objects]
    : [...objects.slice(0, first), ...sorted, ...objects.slice(first + procedures.size)];

  /** Without recursion: a chain of calls may be as long as the folder has files. */
  function visit(root: string): void {
    const path: { readonly name: string; readonly rest: string[] }[] = [];
    enter(root);
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const next = top.rest.pop();
      if (next === undefined) leave(top.name);
      else enter(next);
    }

    function enter(name: string): void {
      const at = path.findIndex((one) => one.name === name);
      if (at !== -1) refuseCycle([...path.slice(at).map((one) => one.name), name]);
      else if (!done.has(name)) path.push({ name, rest: [...(calls.get(name) ?? [])].toReversed() });
    }

    function leave(name: string): void {
      path.pop();
      done.add(name);
      const object = procedures.get(name);
      if (object) sorted.push(object);
    }
  }

  function refuseCycle(names: readonly string[]): void {
    const message = translator.text('migrate-call-cycle', { path: names.join(' → ') });
    for (const name of names) {
      const object = procedures.get(name);
      const isNew = object?.findings.every(({ code }) => code !== 'call-cycle');
      const finding: Finding = { severity: 'error', code: 'call-cycle', message };
      if (object && isNew) procedures.set(name, { ...object, findings: [...object.findings, finding] });
    }
  }
}

function calledBy({ texts }: ExportedObject, procedures: ReadonlyMap<string, unknown>): readonly string[] {
  const named = texts.flatMap(({ text }) => {
    const { procedures: called, words } = runToEnd(calledNames(text));
    return [...called, ...words];
  });
  return [...new Set(named)].filter((name) => procedures.has(name)).toSorted();
}
