// The operations of the sender protocols, made from their declarations.

import { writesAnywhere } from '#access/rights/table-rights.ts';
import { described } from '#operations/described.ts';
import { type AccessRule, type AnyEndpoint, type Call, endpoint } from '#operations/endpoint.ts';
import { anyText, inHeader, inQuery, text } from '#operations/params/params.ts';
import { SENDER_NAMES, type SenderName } from './names.ts';
import type { LogRoute, Sender } from './sender.ts';
import { senderNamed } from './senders.ts';
import type { SendersIntake } from './senders-intake.ts';

const TABLE_HEADER = 'X-Vigil-Table';

/** Before the body is read; the right on each table is checked once the names are known. */
const writers: AccessRule = {
  text: 'ADMIN or higher, or a MEMBER that may write to the tables',
  allows: (caller, _path, store) => store.read((db) => writesAnywhere(db, caller)),
};

const sharedParams = {
  table: inQuery(described(anyText, 'Existing table for all records, in place of the names that they give.')),
  [TABLE_HEADER]: inHeader(described(anyText, 'The same as `table`.')),
  parser: inQuery(
    described(text(50), 'Code of the parser of the field `line`; a line that it cannot read stays as it is.'),
  ),
};

interface Needs extends Call {
  readonly senders: SendersIntake;
}

export const senderEndpoints = (names: readonly SenderName[] = SENDER_NAMES): readonly AnyEndpoint[] =>
  SENDER_NAMES.filter((name) => names.includes(name)).flatMap((name) => {
    const sender = senderNamed(name);
    return [...sender.routes.map((route) => logEndpoint(sender, route)), ...sender.probes];
  });

function logEndpoint(sender: Sender, { name, params, ...route }: LogRoute): AnyEndpoint {
  const made = endpoint({
    ...route,
    protocol: sender.name,
    access: writers,
    takesLogs: 'pushed',
    auditedRefusal: 'senders.push',
    params: { ...params, ...sharedParams },
    rawBody: {
      types: sender.types,
      sample: sender.sample,
      ...(sender.takesSnappy ? { passes: ['snappy'] } : {}),
    },
    isUnit: false,
    refusals: sender.refusals,

    async run(input, call: Needs) {
      const params = textsOf(input);
      return await call.senders.take(
        sender,
        { route: name, table: params.table ?? params[TABLE_HEADER], params },
        call,
      );
    },
  });
  return made as unknown as AnyEndpoint; // Its needs are those of `Needs`, which app wires.
}

const textsOf = (input: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
