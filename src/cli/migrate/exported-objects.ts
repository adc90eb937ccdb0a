// Files of an exported installation as objects: the fields that the operation of their kind takes, and the query texts in them.

import { isUtf8 } from 'node:buffer';
import type { Translator } from '#cli/kit/translator.ts';
import type { Json } from '#kernel/json/canonical-json.ts';
import { MalformedJson, TooManyValues } from '#kernel/json/json-form.ts';
import { parseSliced } from '#kernel/json/sliced-json.ts';
import { runToEnd } from '#kernel/sliced-work.ts';
import { type ExportedFile, KINDS, type Kind, readFile } from './export-folder.ts';
import { FILE_REASONS, type FileReason, type Finding, UnreadableObject } from './finding.ts';
import { readLookupRows } from './lookup-rows-file.ts';
import { type HeadLine, readParameters, readTextForm, wantsAlarm } from './text-form.ts';

export type Fields = Readonly<Record<string, Json>>;

export interface ExportedObject {
  readonly kind: Kind;
  readonly name: string;
  /** Below the folder. */
  readonly file: string;
  /** What its operation is called with. */
  readonly fields: Fields;
  readonly texts: readonly QueryText[];
  /** Rows of a lookup, as CSV. */
  readonly rows?: Buffer;
  readonly findings: readonly Finding[];
}

export interface QueryText {
  readonly text: string;
  /** Of its first line in the file. */
  readonly line: number;
  /** Whether its lines are lines of the file. */
  readonly isPlain: boolean;
}

/** Fields of an installation, not of an object. */
const NOT_READ = /^(?:guid|owner_.*|shared_.*|granted_.*|created|updated|query_user_.*|row_count|version|builtin)$/;

const LIMITS = { depth: 100, values: 1_000_000 };

export class ExportReader {
  readonly #dir: string;
  readonly #translator: Translator;

  constructor(dir: string, translator: Translator) {
    this.#dir = dir;
    this.#translator = translator;
  }

  /** Objects in the order of their kinds and names; those that cannot be read have an error. */
  objects(files: readonly ExportedFile[]): ExportedObject[] {
    const byName = Map.groupBy(files, ({ kind, name }) => `${kind}/${name}`);
    return [...byName.values()]
      .flatMap((same) => this.#objectsOf(same))
      .toSorted((one, other) => order(one) - order(other) || (one.name < other.name ? -1 : 1));
  }

  /** Rows of a lookup may stand beside its fields; any other two files of one name are refused. */
  #objectsOf(files: readonly ExportedFile[]): ExportedObject[] {
    const fields = files.find(({ ending }) => ending === 'json');
    const rows = files.find(({ kind, ending }) => kind === 'lookup' && ending === 'csv');
    if (files.length === 2 && fields && rows) return [this.#object(fields, rows)];
    if (files.length === 1) return files.map((file) => this.#object(file, file));
    return files.map((file) => {
      const others = files.filter((one) => one !== file).map(({ path }) => path);
      return failed(file, this.#finding('duplicate-name', { files: others.join(', ') }));
    });
  }

  #object(file: ExportedFile, rows: ExportedFile): ExportedObject {
    try {
      if (file.name.trim() === '' || /\p{Cc}/u.test(file.name)) throw this.#unreadable('unusable-name');
      return this.#read(file, rows);
    } catch (error) {
      if (error instanceof UnreadableObject) return failed(file, error.finding);
      throw error;
    }
  }

  #read(file: ExportedFile, rows: ExportedFile): ExportedObject {
    const { kind, name, ending } = file;
    if (kind === 'stream') throw this.#unreadable('stream-query', {}, 1);
    if (ending === 'csv') return this.#lookup(file, {}, file);
    const text = this.#text(file);
    if (ending === 'json') {
      const fields = this.#fields(text);
      if (kind === 'lookup' && rows !== file) return this.#lookup(file, fields, rows);
      return { ...base(file), fields: named(kind, name, fields), texts: textsIn(kind, fields, text) };
    }
    return kind === 'procedure' ? this.#procedure(file, text) : this.#schedule(file, text);
  }

  #procedure(file: ExportedFile, text: string): ExportedObject {
    const { head, query, line } = readTextForm(text, ['parameters', 'description'], this.#translator);
    const { parameters, unknownTypes } = readParameters(head.parameters ?? NO_LINE, this.#translator);
    const findings = unknownTypes.map((type) =>
      this.#finding('unknown-type', { type }, head.parameters?.line, 'warning'),
    );
    const fields = { name: file.name, query, parameters: parameters.map((one) => ({ ...one })), ...described(head) };
    return { ...base(file), fields, findings, texts: [{ text: query, line, isPlain: true }] };
  }

  #schedule(file: ExportedFile, text: string): ExportedObject {
    const { head, query, line } = readTextForm(text, ['schedule', 'alarm', 'description'], this.#translator);
    const cron = head.schedule?.value ?? '';
    if (cron === '') throw this.#unreadable('no-schedule', {}, 1);
    const { alarm } = head;
    const findings = alarm && wantsAlarm(alarm) ? [this.#finding('alarm-not-moved', {}, alarm.line, 'warning')] : [];
    const fields = { name: file.name, query, trigger_type: 'cron', cron_schedule: cron, enabled: false };
    return {
      ...base(file),
      fields: { ...fields, ...described(head) },
      findings,
      texts: [{ text: query, line, isPlain: true }],
    };
  }

  /** Without fields the first column is the key. */
  #lookup(file: ExportedFile, given: Fields, rowsFile: ExportedFile): ExportedObject {
    const bytes = this.#bytes(rowsFile);
    this.#requireUtf8(bytes);
    const fields: Fields = named('lookup', file.name, { ...given });
    const key = typeof fields.key === 'string' ? fields.key : undefined;
    const read = readLookupRows(bytes, key);
    if ('reason' in read) throw this.#unreadable('malformed-csv', { reason: read.reason }, read.line);
    return { ...base(file), fields: { key: read.key, columns: [...read.columns], ...fields }, rows: bytes };
  }

  #fields(text: string): Fields {
    const value = this.#json(text);
    if (value === null || typeof value !== 'object' || Array.isArray(value))
      throw this.#unreadable('malformed-json', {}, 1);
    const fields = value as Fields; // Neither null, a list nor a plain value.
    return Object.fromEntries(Object.entries(fields).filter(([key]) => !NOT_READ.test(key)));
  }

  #json(text: string): Json {
    try {
      return runToEnd(parseSliced(text, LIMITS));
    } catch (error) {
      if (error instanceof MalformedJson) throw this.#unreadable('malformed-json', {}, lineAt(text, error.at));
      if (error instanceof TooManyValues) throw this.#unreadable('malformed-json', {}, 1);
      throw error;
    }
  }

  #text(file: ExportedFile): string {
    const bytes = this.#bytes(file);
    this.#requireUtf8(bytes);
    return bytes.toString().replace(/^\ufeff/, '');
  }

  #bytes(file: ExportedFile): Buffer {
    const read = readFile(this.#dir, file);
    if (Buffer.isBuffer(read)) return read;
    throw this.#unreadable(read.reason, { detail: read.detail });
  }

  #requireUtf8(bytes: Buffer): void {
    if (isUtf8(bytes)) return;
    let line = 1;
    let from = 0;
    for (let end = bytes.indexOf(10); end !== -1 && isUtf8(bytes.subarray(from, end)); end = bytes.indexOf(10, from)) {
      from = end + 1;
      line += 1;
    }
    throw this.#unreadable('not-utf-8', {}, line);
  }

  #unreadable(code: FileReason, values: Readonly<Record<string, string>> = {}, line?: number): UnreadableObject {
    return new UnreadableObject(this.#finding(code, values, line));
  }

  #finding(
    code: FileReason,
    values: Readonly<Record<string, string>>,
    line?: number,
    severity: Finding['severity'] = 'error',
  ): Finding {
    const message = this.#translator.text(FILE_REASONS[code], values);
    return { severity, code, message, ...(line === undefined ? {} : { line }) };
  }
}

const NO_LINE: HeadLine = { value: '', line: 1 };

const base = ({ kind, name, path }: ExportedFile) => ({ kind, name, file: path, findings: [], texts: [] });

const failed = (file: ExportedFile, finding: Finding): ExportedObject => ({
  ...base(file),
  fields: {},
  findings: [finding],
});

const order = ({ kind }: ExportedObject) => KINDS.indexOf(kind);

const described = ({ description }: { readonly description?: HeadLine }): Fields =>
  description?.value ? { description: description.value } : {};

/** The name of the file counts. */
function named(kind: Kind, name: string, fields: Fields): Fields {
  if (kind === 'table') return { ...fields, table: name };
  if (kind === 'parser') return { name, ...fields, code: name };
  if (kind === 'schedule') return { trigger_type: 'cron', ...fields, name, enabled: false };
  if (kind === 'dataset') return { ...fields, name, shared_users: [], shared_groups: [] };
  return { ...fields, name };
}

function textsIn(kind: Kind, fields: Fields, source: string): QueryText[] {
  const queries = kind === 'dashboard' ? panelQueries(fields.layout) : kind === 'parser' ? [] : [fields.query];
  const keys = [...source.matchAll(/"query"\s*:/g)].map(({ index }) => lineAt(source, index));
  return queries.flatMap((text, index) =>
    typeof text === 'string' ? [{ text, line: keys[index] ?? 1, isPlain: false }] : [],
  );
}

function panelQueries(layout: Json | undefined): (Json | undefined)[] {
  const { panels }: { readonly panels?: Json } = isMap(layout) ? layout : {};
  return Array.isArray(panels) ? panels.flatMap((panel) => (isMap(panel) ? [panel.query] : [])) : [];
}

const isMap = (value: Json | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length;
