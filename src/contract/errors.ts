// The error vocabulary: one function per published row. An ApiError is an answer; any other thrown value is a defect.
// The texts are matched by existing clients, so they are never translated, extended or corrected.

/** Names the row of an ApiError, so that code never compares messages: the name of the function that made it. */
export type ErrorKind = {
  [Name in keyof Rows]: Rows[Name] extends (...args: never[]) => ApiError ? Name : never;
}[keyof Rows];

type Rows = typeof import('./errors.ts');

interface Row {
  readonly kind: ErrorKind;
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Fields of the answer beside code and message. */
  readonly details: object;
}

export class ApiError extends Error implements Row {
  readonly kind: ErrorKind;
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly details: object;

  constructor({ kind, status, code, headers, details }: Row, message: string) {
    super(message);
    this.kind = kind;
    this.status = status;
    this.code = code;
    this.headers = headers;
    this.details = details;
  }

  get body(): { error_code: string; error_msg: string } {
    return { error_code: this.code, error_msg: this.message, ...this.details };
  }
}

/**
 * Refuses access to an object of another account. An operation that audits no refusals audits these, once a minute for each
 * `concerns`; `noted` goes into the audit entry only.
 */
export class CountedApiError extends ApiError {
  readonly concerns: string;
  readonly noted: Readonly<Record<string, string | number>>;

  constructor(error: ApiError, concerns: string, noted: CountedApiError['noted']) {
    super(error, error.message);
    this.concerns = concerns;
    this.noted = noted;
  }
}

type Answer = Pick<Row, 'status' | 'code'> & Partial<Pick<Row, 'headers' | 'details'>>;

// A kind typed ErrorKind here would make the types of the rows circular. errors.test.ts calls every row and compares.
const row = (kind: string, { status, code, headers = {}, details = {} }: Answer, message: string): ApiError =>
  new ApiError({ kind: kind as ErrorKind, status, code, headers, details }, message);

const invalidArgument = (kind: string, message: string) =>
  row(kind, { status: 400, code: 'invalid-argument' }, message);
const invalidParamType = (kind: string, message: string) =>
  row(kind, { status: 400, code: 'invalid-param-type' }, message);

// Only in this file: 500 rather than 4xx, because the contract answers every refusal by state so.
const illegalState = (kind: string, message: string) => row(kind, { status: 500, code: 'illegal-state' }, message);

export const missing = (param: string) =>
  row('missing', { status: 400, code: 'null-argument' }, `${param} should be not null`);

export const notGuid = (param: string) => invalidParamType('notGuid', `${param} should be guid type.`);
export const notBoolean = (param: string) => invalidParamType('notBoolean', `${param} should be boolean type`);
export const notText = (param: string) => invalidParamType('notText', `${param} should be string type`);
export const notJson = (param: string) => invalidParamType('notJson', `${param} should be json type`);

export const notInt = (param: string) => invalidArgument('notInt', `'${param}' parameter should be int type`);
export const notLong = (param: string) => invalidArgument('notLong', `'${param}' parameter should be long type`);
export const notNumber = (param: string) => invalidArgument('notNumber', `'${param}' should be a number.`);
export const notVersion = () => invalidParamType('notVersion', 'version should be integer type');
export const tooSmall = (param: string, min: bigint) =>
  invalidArgument('tooSmall', `'${param}' must be greater than or equal to ${min}.`);
export const tooLarge = (param: string, max: bigint) =>
  invalidArgument('tooLarge', `'${param}' must be less than or equal to ${max}.`);
export const tooLong = (param: string, max: number) =>
  invalidArgument('tooLong', `'${param}' must be shorter than or equal to ${max} characters.`);
/** Wording of loggers, logger groups and logger models. */
export const tooManyCharacters = (param: string, max: number) =>
  invalidArgument('tooManyCharacters', `'${param}' must be less than or equal to ${max} characters.`);
export const tooManyItems = (param: string, max: number) =>
  invalidArgument('tooManyItems', `'${param}' must be less than or equal to ${max} items.`);
export const notOneOf = (param: string, values: readonly string[]) =>
  invalidArgument('notOneOf', `${param} value must be one of ${values.map((value) => `'${value}'`).join(', ')}.`);
export const givenTwice = (param: string) => invalidArgument('givenTwice', `'${param}' is given twice.`);
export const wrongDate = () => invalidArgument('wrongDate', 'invalid date format');
export const notDay = (param: string) => invalidArgument('notDay', `'${param}' should be yyyy-MM-dd format.`);
export const wrongDateRange = () => invalidArgument('wrongDateRange', 'date range is unacceptable.');
export const wrongCron = (text: string) => invalidArgument('wrongCron', `wrong cron expression format: ${text}`);
export const notInFuture = (param: string) => invalidArgument('notInFuture', `'${param}' must be in the future.`);
export const wrongPattern = (param: string, mistake: string) =>
  invalidArgument('wrongPattern', `'${param}' should be a regular expression with named groups: ${mistake}`);
export const wrongDatePattern = (param: string) =>
  invalidArgument('wrongDatePattern', `'${param}' should be a date pattern.`);
export const wrongUrl = (text: string) => invalidArgument('wrongUrl', `wrong url: ${text}`);
export const wrongHost = (host: string) => invalidArgument('wrongHost', `wrong host: ${host}`);
export const wrongHeader = (name: string) => invalidArgument('wrongHeader', `wrong header: ${name}`);
export const wrongZone = (text: string) => invalidArgument('wrongZone', `wrong zone: ${text}`);
export const wrongTimeZone = (text: string) => invalidArgument('wrongTimeZone', `wrong time zone: ${text}`);
export const notAllowedPath = (param: string, path: string) =>
  invalidArgument(
    'notAllowedPath',
    `'${param}' should be below a folder that the setting collect-folders allows: ${path}`,
  );
export const wrongNamePattern = (param: string, value: string) =>
  invalidArgument('wrongNamePattern', `'${param}' should be a pattern of names below the path: ${value}`);
export const unknownCharset = (param: string, value: string) =>
  invalidArgument('unknownCharset', `'${param}' should be a known character set: ${value}`);
export const wrongAddress = (text: string) => invalidArgument('wrongAddress', `wrong address or network: ${text}`);
export const wrongLogin = (value: string) =>
  invalidArgument('wrongLogin', `'login' may contain alphanumeric and _ . - @ characters: ${value}`);
export const notFileName = (param: string) =>
  invalidArgument('notFileName', `'${param}' should be a file name without path.`);
export const notToken = (param: string) => invalidArgument('notToken', `'${param}' parameter should be GUID type`);
export const tooManyBytes = (param: string, max: number) =>
  invalidArgument('tooManyBytes', `'${param}' must be shorter than or equal to ${max} bytes.`);
export const wrongTableName = (value: string) =>
  invalidArgument(
    'wrongTableName',
    `'table' must begin with a letter and may contain alphanumeric and underscore characters: ${value}`,
  );
export const notStorageChoice = (param: string, values: readonly string[]) =>
  invalidArgument('notStorageChoice', `'${param}' should be one of ${values.join(' or ')}.`);
export const wrongTableGroupName = () =>
  invalidArgument(
    'wrongTableGroupName',
    "'name' must be 1 to 50 characters, alphanumeric or underscore characters only, and must not start with a number",
  );
export const duplicatedMember = (param: string, value: string) =>
  invalidArgument('duplicatedMember', `'${param}' must not have the same name twice: ${value}`);

/** `row` counts from 1. */
export const wrongLookupRow = (row: number, reason: string) =>
  invalidArgument('wrongLookupRow', `wrong lookup row ${row}: ${reason}`);
export const wrongLookupName = (name: string, value: string) =>
  invalidArgument('wrongLookupName', `'${name}' cannot be used in a query: ${value}`);
export const keyNotAmongColumns = (key: string) =>
  invalidArgument('keyNotAmongColumns', `'columns' should contain the key: ${key}`);
export const parserBuiltIn = (code: string) => illegalState('parserBuiltIn', `parser is built in: ${code}`);

export const wrongParameterKey = (value: string) =>
  invalidArgument('wrongParameterKey', `'parameters.key' must not begin with an underscore: ${value}`);

export const uncallableName = (value: string) =>
  invalidArgument('uncallableName', `'name' cannot be used in a query: ${value}`);

export const unusableCommandName = (value: string) =>
  invalidArgument('unusableCommandName', `'name' cannot be used as a command: ${value}`);

/** Wording of queries for their offset and limit. */
export const notLongNumber = (param: string) => invalidArgument('notLongNumber', `${param} should be long type.`);
export const negative = (param: string) => invalidArgument('negative', `${param} should be non-negative integer.`);
export const wrongFormat = () =>
  invalidArgument('wrongFormat', 'format should be one of html, txt, xml, csv, json or json-single.');
/** An error in the text of a query, where the contract leaves one line for it. */
export const queryErrorText = (code: number, message: string, { line, column }: { line: number; column: number }) =>
  `(${code}) ${message} at ${line}:${column}`;
/** `mistake` is the first error, `details` are all findings about the text. */
export const invalidQuery = (mistake: string, details: object = {}) =>
  row('invalidQuery', { status: 400, code: 'invalid-query', details }, mistake);
export const notQueryId = () => invalidParamType('notQueryId', 'query id should be integer type');
/** `owner` is the node of the query, where it is gone. */
export const noSuchQuery = (id: number, owner?: string) =>
  row(
    'noSuchQuery',
    { status: 403, code: 'invalid-query-id', headers: owner === undefined ? {} : nodeHeader(owner) },
    `cannot access query ${id}`,
  );
export const arrivalsTooFast = () => illegalState('arrivalsTooFast', 'rows arrive faster than the query takes them');
export const tooManyFiles = (max: number) => illegalState('tooManyFiles', `too many export files: ${max}`);
/** Answers a request for rows of a query that was cancelled, or failed, in the meantime. */
export const queryEnded = (message: string) => illegalState('queryEnded', `query has ended: ${message}`);
/** CSV names all columns first: without `fields`, all rows must be held before the first is written. */
export const tooMuchToHold = (characters: number) =>
  illegalState('tooMuchToHold', `name the fields: the rows take more than ${characters} characters`);

export const malformedRequest = () => invalidArgument('malformedRequest', 'malformed request');
export const malformedBody = () => invalidArgument('malformedBody', 'malformed request body');

export const unauthorized = () =>
  row(
    'unauthorized',
    { status: 401, code: 'unauthorized', headers: { 'www-authenticate': 'Bearer' } },
    'invalid api key',
  );
export const noPermission = () => illegalState('noPermission', 'no-permission');

export const notFound = (thing: string, id: string) => illegalState('notFound', `${thing} not found: ${id}`);
export const datasetWithoutAuthor = (name: string) =>
  illegalState('datasetWithoutAuthor', `dataset has no author: ${name}`);
export const duplicatedName = (name: string) => illegalState('duplicatedName', `duplicated name: ${name}`);
export const eventHasTicket = (guid: string) => illegalState('eventHasTicket', `event has a ticket: ${guid}`);
export const duplicatedGuid = (guid: string) => illegalState('duplicatedGuid', `duplicated guid: ${guid}`);
export const duplicatedLogin = (login: string) => illegalState('duplicatedLogin', `duplicated login: ${login}`);
export const duplicatedCode = (code: string) => illegalState('duplicatedCode', `duplicated code: ${code}`);
export const duplicatedAddress = (ip: string) => illegalState('duplicatedAddress', `duplicated address: ${ip}`);
export const duplicatedTableGroup = (name: string) =>
  illegalState('duplicatedTableGroup', `duplicated-name [name: ${name}]`);
export const noParentTableGroup = (guid: string) =>
  illegalState('noParentTableGroup', `parent-table-group-not-found [guid: ${guid}]`);
export const parentCycle = (thing: string, guid: string) =>
  illegalState('parentCycle', `parent ${thing} would form a cycle: ${guid}`);
export const precedingCycle = (guid: string) =>
  illegalState('precedingCycle', `preceding query would form a cycle: ${guid}`);
export const noCronSchedule = (guid: string) =>
  illegalState('noCronSchedule', `scheduled query has no cron schedule: ${guid}`);
export const lastMaster = (guid: string) => illegalState('lastMaster', `cannot remove last master: ${guid}`);

export const duplicatedLoggerModel = (name: string) =>
  illegalState('duplicatedLoggerModel', `duplicated logger model: ${name}`);
export const notPushable = (guid: string) => illegalState('notPushable', `logger does not accept pushed logs: ${guid}`);
export const notRunning = (guid: string) => illegalState('notRunning', `logger is not running: ${guid}`);
export const alreadyEnabled = (thing: string, guid: string) =>
  illegalState('alreadyEnabled', `${thing} is already enabled: ${guid}`);
export const alreadyDisabled = (thing: string, guid: string) =>
  illegalState('alreadyDisabled', `${thing} is already disabled: ${guid}`);
export const alreadyRunning = (thing: string, guid: string) =>
  illegalState('alreadyRunning', `${thing} is already running: ${guid}`);
export const notAssigned = () => illegalState('notAssigned', 'not assigned');
export const noApprovers = () => illegalState('noApprovers', 'no-approvers');
export const notCompleted = () => illegalState('notCompleted', 'not-completed');
export const ticketClosed = (guid: string) => illegalState('ticketClosed', `ticket is closed: ${guid}`);
export const ticketSubmitted = (guid: string) => illegalState('ticketSubmitted', `ticket is submitted: ${guid}`);
export const cannotDecide = (guid: string) =>
  illegalState('cannotDecide', `cannot approve or reject unsubmitted ticket: ${guid}`);
export const notAssigneeStatus = (_param: string, values: readonly string[]) =>
  invalidArgument('notAssigneeStatus', `assignee status should be one of ${values.join(', ')}.`);
export const notApproverStatus = (_param: string, values: readonly string[]) =>
  invalidArgument('notApproverStatus', `approver status should be one of ${values.join(', ')}.`);
/** Ends the run of a batch rule; the ledger of runs holds it. */
export const tooManyMatches = (matches: number, max: number) =>
  illegalState('tooManyMatches', `too many matches: ${matches} is more than ${max}`);
export const commandTemplateNotFound = (id: number) =>
  illegalState('commandTemplateNotFound', `command template not found: ${id}`);
export const snapshotNotFound = (thing: string, guid: string, version: number) =>
  illegalState('snapshotNotFound', `${thing} snapshot not found: ${guid} v${version}`);
export const wrongCryptoKey = (bytes: number) =>
  invalidArgument('wrongCryptoKey', `'key' should be ${bytes} bytes in base64.`);
export const masterSecretRefused = (state: 'missing' | 'wrong') =>
  illegalState('masterSecretRefused', `master secret is ${state}`);
export const profileClosed = (guid: string) => illegalState('profileClosed', `crypto profile is closed: ${guid}`);
export const tableClosed = (table: string) => illegalState('tableClosed', `table is closed: ${table}`);
export const tableCorrupt = (table: string, file: string) =>
  illegalState('tableCorrupt', `table is damaged: ${table} [file: ${file}]`);
export const noMemoryLeft = (table: string) => illegalState('noMemoryLeft', `no memory left: ${table}`);
export const memoryFolderRefused = () => illegalState('memoryFolderRefused', 'memory-folder is not usable');
export const noSpaceLeft = (table: string) => illegalState('noSpaceLeft', `no space left: ${table}`);
/** A query that reads on finds fewer records than there were when it began. */
export const recordsRemoved = (table: string) =>
  illegalState('recordsRemoved', `records were removed meanwhile: ${table}`);
export const logStoreFull = () => illegalState('logStoreFull', 'log store is full');
export const noCryptoProfiles = (table: string) =>
  illegalState('noCryptoProfiles', `log store has no crypto profiles: ${table}`);
export const tableAlreadyThere = (table: string) =>
  illegalState('tableAlreadyThere', `table is already there: ${table}`);
export const tableBeingMoved = (table: string) => illegalState('tableBeingMoved', `table is being moved: ${table}`);
export const tableNotBeingMoved = (table: string) =>
  illegalState('tableNotBeingMoved', `table is not being moved: ${table}`);
export const noSuchLogStore = (kind: string) => illegalState('noSuchLogStore', `no log store of this kind: ${kind}`);

/** HEAD and PATCH answer 404, so that clients of the tus protocol start over. */
export const noUploadStream = (token: string, status: 404 | 500 = 500) =>
  row('noUploadStream', { status, code: 'illegal-state' }, `upload stream not found: ${token}`);
export const uploadNotCompleted = (token: string) =>
  illegalState('uploadNotCompleted', `upload stream not completed: ${token}`);
export const wrongGzip = (token: string) => illegalState('wrongGzip', `wrong gzip data: ${token}`);
export const testTookTooLong = () => illegalState('testTookTooLong', 'test took too long');
/** Quota of an account or of the service. */
export const tooMany = (
  things: 'api keys' | 'dashboards' | 'datasets' | 'lookup rows' | 'upload streams',
  max: number,
) => illegalState('tooMany', `too many ${things}: ${max}`);
export const wrongOffset = (offset: number) =>
  row('wrongOffset', { status: 409, code: 'invalid-offset' }, `upload offset should be ${offset}`);
export const unsupportedVersion = (header: string, version: string, supported: string) =>
  row(
    'unsupportedVersion',
    { status: 412, code: 'unsupported-version', headers: { [supported]: version } },
    `${header} should be ${version}`,
  );

export const noSuchOperation = (method: string, path: string) =>
  row('noSuchOperation', { status: 404, code: 'not-found' }, `no such operation: ${method} ${path}`);
export const methodNotAllowed = (method: string, path: string, allowed: readonly string[]) =>
  row(
    'methodNotAllowed',
    { status: 405, code: 'method-not-allowed', headers: { allow: allowed.join(', ') } },
    `method not allowed: ${method} ${path}`,
  );
export const bodyTooLarge = (limitBytes: number) =>
  row(
    'bodyTooLarge',
    { status: 413, code: 'request-too-large' },
    `request body must be shorter than or equal to ${limitBytes} bytes.`,
  );
export const tooManyLines = (max: number) =>
  row(
    'tooManyLines',
    { status: 413, code: 'request-too-large' },
    `request body must be less than or equal to ${max} lines.`,
  );
export const tooManyTables = (max: number) =>
  row(
    'tooManyTables',
    { status: 413, code: 'request-too-large' },
    `request body must be less than or equal to ${max} tables.`,
  );
export const tooManyValues = (max: number) =>
  row(
    'tooManyValues',
    { status: 413, code: 'request-too-large' },
    `request body must be less than or equal to ${max} values.`,
  );
/** The rest of the body is not read. */
export const bodyTooLate = () =>
  row(
    'bodyTooLate',
    { status: 408, code: 'request-timeout', headers: { connection: 'close' } },
    'request body did not arrive in time',
  );
export const headTooLarge = () =>
  row('headTooLarge', { status: 431, code: 'request-too-large' }, 'request line or headers are too long');
export const unsupportedContent = (type: string) =>
  row('unsupportedContent', { status: 415, code: 'unsupported-media-type' }, `unsupported content type: ${type}`);
export const tooManyRequests = (retryAfterSeconds: number) =>
  row(
    'tooManyRequests',
    { status: 429, code: 'too-many-requests', headers: { 'retry-after': String(retryAfterSeconds) } },
    'too many requests',
  );
/** The memory budget for bodies is used up; the rest of the body is not read. */
export const noRoomForBody = () =>
  row(
    'noRoomForBody',
    { status: 429, code: 'too-many-requests', headers: { 'retry-after': '1', connection: 'close' } },
    'too many requests',
  );
export const unknownHost = (host: string) =>
  row('unknownHost', { status: 421, code: 'unknown-host' }, `unknown host: ${host}`);
export const unavailable = (state: 'starting' | 'stopping') =>
  row('unavailable', { status: 503, code: 'unavailable', headers: { 'retry-after': '1' } }, `service is ${state}`);
export const standingBy = (keeper: string) =>
  row(
    'standingBy',
    { status: 503, code: 'unavailable', headers: { 'retry-after': '1' } },
    `node is standing by: ${keeper} keeps the logs`,
  );
/** Long enough for a database server to restart. */
const DATABASE_RETRY_SECONDS = '5';
export const databaseUnreachable = () =>
  row(
    'databaseUnreachable',
    { status: 503, code: 'unavailable', headers: { 'retry-after': DATABASE_RETRY_SECONDS } },
    'database is not reachable',
  );
/** Of the log store on ClickHouse: a part of it does not answer, or not in time. */
export const logStoreUnreachable = (shard: string) =>
  row(
    'logStoreUnreachable',
    { status: 503, code: 'unavailable', headers: { 'retry-after': DATABASE_RETRY_SECONDS } },
    `log store is not reachable: ${shard}`,
  );
/** Of the node that owns the object of a request. */
export const nodeUnreachable = (node: string) =>
  row(
    'nodeUnreachable',
    { status: 503, code: 'unavailable', headers: { 'retry-after': DATABASE_RETRY_SECONDS, ...nodeHeader(node) } },
    `node is not reachable: ${node}`,
  );
/** Names of nodes may have letters that a header cannot. */
export const nodeHeader = (node: string): Readonly<Record<string, string>> => ({
  'x-vigil-node': encodeURIComponent(node),
});
export const internalError = (requestId: string) =>
  row('internalError', { status: 500, code: 'internal-error' }, `internal error: ${requestId}`);
