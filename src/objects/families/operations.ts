// The five operations of a family, derived from its declaration.

import * as refuse from '#contract/errors.ts';
import { eachOnce } from '#contract/partial-outcome.ts';
import { newGuid } from '#kernel/guid.ts';
import { references } from '#objects/references/reference-record.ts';
import { referencesTo } from '#objects/references/references.ts';
import { findingsBeside } from '#operations/answers/finding-shapes.ts';
import { failures, guidText, listOf, optional, orNull, record, string } from '#operations/answers/shapes.ts';
import { describedBy } from '#operations/described.ts';
import type { Endpoint } from '#operations/endpoint.ts';
import {
  anyText,
  codes,
  guid,
  guids,
  keywords,
  type Params,
  paging,
  type Reader,
  required,
  text,
} from '#operations/params/params.ts';
import { dryRun, foundOrNull, newGuidParam } from '#operations/shared-fields.ts';
import type { AnswerFindings } from '#queries/check/text-check.ts';
import { sendsNoMore } from '#store/kysely.ts';
import { writeChecked } from './checked-write.ts';
import {
  type AnyFamily,
  type AnyRow,
  type FamilyCall,
  type Fields,
  familyMeanings,
  type RecordContext,
} from './family.ts';
import type { OperationsOf } from './operation-types.ts';
import { type FieldInput, recordShape, recordsOf, searchOf } from './records.ts';
import { findRow, insertRow, listRows, removeRow, updateRow } from './rows.ts';

type Operation = Endpoint<Params, FamilyCall, AnswerFindings | undefined, object>;

/** Types the input of `run`; those of path and answer are lost here, and come back in `operationsOf`. */
const operation = <P extends Params>(
  declaration: Endpoint<P, FamilyCall, AnswerFindings | undefined, object>,
): Operation => declaration as unknown as Operation;

const coded = { code: string('Code of the object.') };
const identified = { guid: guidText('GUID of the new object.') };

/** Fields of an answer to a change. */
function answerOf({ key = 'guid', hasQueryText }: AnyFamily, isNew: boolean) {
  const named = key === 'code' ? coded : isNew ? identified : {};
  return record({ ...named, ...(hasQueryText ? findingsBeside : {}) });
}

/** Parameters of the two kinds of keys. */
const KEYS = {
  guid: {
    inPath: required(guid),
    forNew: newGuidParam,
    many: 'guids',
    listed: guids,
  },
  code: {
    inPath: required(anyText),
    forNew: required(text(50), 'Code of the new object.'),
    many: 'codes',
    listed: codes,
  },
} as const;

/** Their types follow from the declaration as their values do, which the compiler cannot see. */
export const operationsOf = <F extends AnyFamily>(family: F): OperationsOf<F> =>
  [list(family), get(family), create(family), update(family), remove(family)] as unknown as OperationsOf<F>;

const list = (family: AnyFamily): Operation =>
  operation({
    title: `List ${family.things}`,
    ...notesOf(family, 'list'),
    method: 'GET',
    path: `/api/core/${family.path}`,
    access: family.readers ?? 'MEMBER',
    params: { ...paging, keywords, ...family.filters },
    answer: listOf(family.plural, recordShape(family, 'listed')),

    async run(input, call: FamilyCall) {
      const { total, rows } = await listRows(call.db, family, call.caller, { ...input, flags: flagsIn(family, input) });
      return { total_count: total, [family.plural]: await recordsOf(rows, 'listed', viewOf(family, call)) };
    },
  });

const get = (family: AnyFamily): Operation =>
  operation({
    title: `Get ${family.thing}`,
    ...notesOf(family, 'get'),
    method: 'GET',
    path: pathOf(family),
    access: family.readers ?? 'MEMBER',
    params: describedBy(keyed(family, KEYS[family.key ?? 'guid'].inPath), familyMeanings(family)),
    answer: record({ [family.singular]: orNull(recordShape(family, 'alone'))(foundOrNull(family.thing)) }),

    async run(input, call: FamilyCall) {
      const row = await findRow(call.db, family, call.caller, keyIn(family, input));
      const [record = null] = await recordsOf(row ? [row] : [], 'alone', viewOf(family, call));
      return { [family.singular]: record };
    },
  });

const create = (family: AnyFamily): Operation =>
  operation({
    title: `Create ${family.thing}`,
    ...notesOf(family, 'create'),
    method: 'POST',
    path: `/api/core/${family.path}`,
    access: family.writers ?? 'ADMIN',
    audit: `${family.path}.create`,
    params: {
      ...keyed(family, KEYS[family.key ?? 'guid'].forNew),
      ...describedBy(readersOf(fieldsOfNew(family)), familyMeanings(family)),
    },
    answer: answerOf(family, true),
    ...preparationOf(family),

    async run(input, call: FamilyCall, findings) {
      const key = (input[family.key ?? 'guid'] as string | undefined) ?? newGuid();
      const writing = { family, call, key, before: undefined, now: call.clock.nowMs() };
      await writeChecked(input, writing, fieldsOfNew(family), async (columns) => {
        const row = {
          [family.key ?? 'guid']: key,
          ...columns,
          ...(await family.initialColumns?.(input, writing)),
          search: searchOf(family, { ...columns, [family.key ?? 'guid']: key }),
          created_at: writing.now,
          updated_at: writing.now,
        };
        // The declaration names all columns of its table.
        const inserted = insertRow(call.db, family, row as unknown as AnyRow);
        if (isRowLast(fieldsOfNew(family))) sendsNoMore(call.db);
        await inserted;
      });
      followUp(family, call, key);
      return { [family.key ?? 'guid']: key, ...findings };
    },
  });

const update = (family: AnyFamily): Operation =>
  operation({
    title: `Update ${family.thing}`,
    ...notesOf(family, 'update'),
    method: 'PUT',
    path: pathOf(family),
    access: family.writers ?? 'ADMIN',
    audit: `${family.path}.update`,
    params: describedBy(
      { ...keyed(family, KEYS[family.key ?? 'guid'].inPath), ...readersOf(family.fields) },
      familyMeanings(family),
    ),
    answer: answerOf(family, false),
    ...preparationOf(family),

    async run(input, call: FamilyCall, findings) {
      const key = keyIn(family, input);
      const before = await findRow(call.db, family, call.caller, key);
      if (!before) throw refuse.notFound(family.thing, key);
      if (family.mayChange && !(await family.mayChange(before, call))) throw refuse.noPermission();
      const writing = { family, call, key, before, now: call.clock.nowMs() };
      await writeChecked(input, writing, family.fields, async (columns) => {
        const search = searchOf(family, { ...before, ...columns });
        const updated = updateRow(call.db, family, key, { ...columns, search, updated_at: writing.now });
        if (isRowLast(family.fields)) sendsNoMore(call.db);
        await updated;
      });
      followUp(family, call);
      return { ...(family.key === 'code' ? { code: key } : {}), ...findings };
    },
  });

const remove = (family: AnyFamily): Operation => {
  const { many, listed } = KEYS[family.key ?? 'guid'];
  const params: Params = {
    [many]: required(listed as Reader<string[] | undefined>, `Keys of the ${family.things} to remove.`),
    ...(family.hasDryRun ? { dry_run: dryRun } : {}),
  };
  return operation({
    title: `Remove ${family.things}`,
    ...notesOf(family, 'remove'),
    method: 'DELETE',
    path: `/api/core/${family.path}`,
    access: family.writers ?? 'ADMIN',
    audit: `${family.path}.remove`,
    params,
    answer: record({ failures, ...(family.hasDryRun ? { references: optional(references) } : {}) }),

    async run(input, call: FamilyCall) {
      const isDry = input.dry_run === true;
      const passed: string[] = [];
      const { failures } = await eachOnce(input[many] as string[], async (key) => {
        const row = await findRow(call.db, family, call.caller, key);
        const reason = row
          ? await removalRefusalOf(row, family, call)
          : `${family.thing.replaceAll(' ', '-')}-not-found`;
        if (reason !== undefined || !row) return reason;
        passed.push(key);
        if (isDry) return undefined;
        await family.beforeRemove?.(row, call);
        await removeRow(call.db, family, row);
        return undefined;
      });
      if (!isDry) followUp(family, call, ...passed);
      return isDry ? { failures, references: await referencesTo(call.db, family.path, passed) } : { failures };
    },
  });
};

/** `keys` of created or removed objects. */
function followUp(family: AnyFamily, call: FamilyCall, ...keys: readonly string[]): void {
  if (family.followUp) call.afterCommit(async () => family.followUp?.(call));
  if (!family.isNeededByRules) return;
  for (const key of keys) call.afterCommit(() => call.streamRules.referredChanged(family.thing, key));
}

async function removalRefusalOf(row: AnyRow, family: AnyFamily, call: FamilyCall): Promise<string | undefined> {
  if (family.mayChange && !(await family.mayChange(row, call))) return refuse.noPermission().message;
  return await family.removalRefusal?.(row, call);
}

const pathOf = ({ path, key = 'guid' }: AnyFamily) => `/api/core/${path}/:${key}`;

const keyed = ({ key = 'guid' }: AnyFamily, reader: Params[string]): Params => ({ [key]: reader });

/** Read by the key's own reader. */
const keyIn = ({ key = 'guid' }: AnyFamily, input: FieldInput): string => input[key] as string;

/** In the order of their declaration. */
function fieldsOfNew({ fields, newFields, newFieldsAfter }: AnyFamily): Fields {
  if (newFieldsAfter === undefined) return { ...fields, ...newFields };
  const names = Object.keys(fields);
  const before = new Set(names.slice(0, names.indexOf(newFieldsAfter) + 1));
  const part = (isBefore: boolean) => Object.entries(fields).filter(([name]) => before.has(name) === isBefore);
  return { ...Object.fromEntries(part(true)), ...newFields, ...Object.fromEntries(part(false)) };
}

/** Whether nothing is written after the row of an object. */
const isRowLast = (fields: Fields): boolean => Object.values(fields).every(({ keep }) => keep === undefined);

const readersOf = (fields: Fields = {}): Params =>
  Object.fromEntries(Object.entries(fields).map(([name, { reader }]) => [name, reader]));

/** Absent without notes. */
function notesOf({ notes }: AnyFamily, verb: keyof NonNullable<AnyFamily['notes']>): { notes?: string } {
  const text = notes?.[verb];
  return text === undefined ? {} : { notes: text };
}

function preparationOf(family: AnyFamily): Pick<Operation, 'prepare'> {
  return family.prepare ? { prepare: async (input, call) => (await family.prepare?.(input, call)) ?? undefined } : {};
}

const viewOf = (family: AnyFamily, { db, caller, zone, vault, clock }: FamilyCall): RecordContext => ({
  family,
  db,
  caller,
  zone,
  vault,
  now: clock.nowMs(),
});

/** Filters that the request has. */
const flagsIn = ({ filters = {} }: AnyFamily, input: Readonly<Record<string, unknown>>): Record<string, boolean> =>
  Object.fromEntries(
    Object.keys(filters).flatMap((name) => (typeof input[name] === 'boolean' ? [[name, input[name]]] : [])),
  );
