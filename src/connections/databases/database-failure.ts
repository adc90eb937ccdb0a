// Why a statement of a database did not succeed. The texts of drivers name hosts and users: only messages of the database
// about a statement are passed on, cut to a bounded length.

const MAX_DETAIL = 500;

export type DatabaseCeiling = 'rows' | 'bytes' | 'seconds';

export class DatabaseUnreachable extends Error {
  /** `refused`: the database does not accept the user; `tls`: the certificate or the encryption is not as demanded. */
  readonly reason: 'unreachable' | 'refused' | 'tls';

  constructor(reason: DatabaseUnreachable['reason'] = 'unreachable') {
    super(`database is ${reason}`);
    this.reason = reason;
  }
}

/** The database has refused a statement. */
export class StatementRefused extends Error {
  constructor(message: unknown) {
    super(boundedText(String(message)));
  }
}

export class CeilingReached extends Error {
  readonly ceiling: DatabaseCeiling;
  readonly count: number;
  readonly max: number;

  constructor(ceiling: DatabaseCeiling, count: number, max: number) {
    super(`${ceiling}: ${count} is more than ${max}`);
    this.ceiling = ceiling;
    this.count = count;
    this.max = max;
  }
}

/** One row is larger than a row of the language may be. */
export class RowTooLarge extends Error {}

/** A value that the database has no type for. */
export class UnboundValue extends Error {
  /** Its place among the values. */
  readonly index: number;
  readonly type: string;

  constructor(index: number, type: string) {
    super(`value ${index} cannot be bound: ${type}`);
    this.index = index;
    this.type = type;
  }
}

/** On one line, without marks that a terminal would obey. */
function boundedText(text: string): string {
  const plain = text
    .slice(0, 2 * MAX_DETAIL)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  return plain.length <= MAX_DETAIL ? plain : `${plain.slice(0, MAX_DETAIL)}…`;
}
