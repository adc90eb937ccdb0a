// The error vocabulary: one function per published row. A Refusal is an answer; any other thrown thing is a defect.
// The texts are matched by existing clients, so they are never translated, extended or corrected.

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }

  get body(): { error_code: string; error_msg: string } {
    return { error_code: this.code, error_msg: this.message };
  }
}

/**
 * A refusal of somebody who asked for what is another's. Operations that leave no entry of a refusal leave one of this, once a
 * minute for each `concerns`; `noted` is for the trail alone.
 */
export class CountedRefusal extends ApiError {
  readonly concerns: string;
  readonly noted: Readonly<Record<string, string | number>>;

  constructor(refusal: ApiError, concerns: string, noted: CountedRefusal['noted']) {
    super(refusal.status, refusal.code, refusal.message, refusal.headers);
    this.concerns = concerns;
    this.noted = noted;
  }
}

const invalidArgument = (message: string) => new ApiError(400, 'invalid-argument', message);
const invalidParamType = (message: string) => new ApiError(400, 'invalid-param-type', message);

// Only in this file: 500 rather than 4xx, because the contract answers every refusal by state so.
const illegalState = (message: string) => new ApiError(500, 'illegal-state', message);

export const missing = (param: string) => new ApiError(400, 'null-argument', `${param} should be not null`);

export const notGuid = (param: string) => invalidParamType(`${param} should be guid type.`);
export const notBoolean = (param: string) => invalidParamType(`${param} should be boolean type`);
export const notText = (param: string) => invalidParamType(`${param} should be string type`);
export const notJson = (param: string) => invalidParamType(`${param} should be json type`);

export const notInt = (param: string) => invalidArgument(`'${param}' parameter should be int type`);
export const notLong = (param: string) => invalidArgument(`'${param}' parameter should be long type`);
export const notNumber = (param: string) => invalidArgument(`'${param}' should be a number.`);
export const notVersion = () => invalidParamType('version should be integer type');
export const tooSmall = (param: string, least: bigint) =>
  invalidArgument(`'${param}' must be greater than or equal to ${least}.`);
export const tooLarge = (param: string, most: bigint) =>
  invalidArgument(`'${param}' must be less than or equal to ${most}.`);
export const tooLong = (param: string, most: number) =>
  invalidArgument(`'${param}' must be shorter than or equal to ${most} characters.`);
/** The words of loggers, logger groups and logger models. */
export const tooManyCharacters = (param: string, most: number) =>
  invalidArgument(`'${param}' must be less than or equal to ${most} characters.`);
export const tooManyItems = (param: string, most: number) =>
  invalidArgument(`'${param}' must be less than or equal to ${most} items.`);
export const notOneOf = (param: string, values: readonly string[]) =>
  invalidArgument(`${param} value must be one of ${values.map((value) => `'${value}'`).join(', ')}.`);
export const givenTwice = (param: string) => invalidArgument(`'${param}' is given twice.`);
export const wrongDate = () => invalidArgument('invalid date format');
export const notDay = (param: string) => invalidArgument(`'${param}' should be yyyy-MM-dd format.`);
export const wrongDateRange = () => invalidArgument('date range is unacceptable.');
export const wrongCron = (text: string) => invalidArgument(`wrong cron expression format: ${text}`);
export const notInFuture = (param: string) => invalidArgument(`'${param}' must be in the future.`);
export const wrongPattern = (param: string, mistake: string) =>
  invalidArgument(`'${param}' should be a regular expression with named groups: ${mistake}`);
export const wrongDatePattern = (param: string) => invalidArgument(`'${param}' should be a date pattern.`);
export const wrongUrl = (text: string) => invalidArgument(`wrong url: ${text}`);
export const notAllowedPath = (param: string, path: string) =>
  invalidArgument(`'${param}' should be below a folder that the setting collect-folders allows: ${path}`);
export const wrongNamePattern = (param: string, value: string) =>
  invalidArgument(`'${param}' should be a pattern of names below the path: ${value}`);
export const unknownCharset = (param: string, value: string) =>
  invalidArgument(`'${param}' should be a known character set: ${value}`);
export const wrongAddress = (text: string) => invalidArgument(`wrong address or network: ${text}`);
export const wrongLogin = (value: string) =>
  invalidArgument(`'login' may contain alphanumeric and _ . - @ characters: ${value}`);
export const notFileName = (param: string) => invalidArgument(`'${param}' should be a file name without path.`);
export const notToken = (param: string) => invalidArgument(`'${param}' parameter should be GUID type`);
export const tooManyBytes = (param: string, most: number) =>
  invalidArgument(`'${param}' must be shorter than or equal to ${most} bytes.`);
export const wrongTableName = (value: string) =>
  invalidArgument(`'table' must begin with a letter and may contain alphanumeric and underscore characters: ${value}`);
export const notStorageChoice = (param: string, values: readonly string[]) =>
  invalidArgument(`'${param}' should be one of ${values.join(' or ')}.`);
export const wrongTableGroupName = () =>
  invalidArgument(
    "'name' must be 1 to 50 characters, alphanumeric or underscore characters only, and must not start with a number",
  );
export const duplicatedMember = (param: string, value: string) =>
  invalidArgument(`'${param}' must not have the same name twice: ${value}`);

export const wrongParameterKey = (value: string) =>
  invalidArgument(`'parameters.key' must not begin with an underscore: ${value}`);

/** The words of queries for their offset and limit. */
export const notLongNumber = (param: string) => invalidArgument(`${param} should be long type.`);
export const negative = (param: string) => invalidArgument(`${param} should be non-negative integer.`);
export const wrongFormat = () => invalidArgument('format should be one of html, txt, xml, csv, json or json-single.');
/** What is wrong with the text of a query, wherever the contract has one line for it. */
export const queryErrorText = (code: number, message: string, { line, column }: { line: number; column: number }) =>
  `(${code}) ${message} at ${line}:${column}`;
export const invalidQuery = (...mistake: Parameters<typeof queryErrorText>) =>
  new ApiError(400, 'invalid-query', queryErrorText(...mistake));
export const notQueryId = () => invalidParamType('query id should be integer type');
export const noSuchQuery = (id: number) => new ApiError(403, 'invalid-query-id', `cannot access query ${id}`);
/** To whoever waits for the rows of a query that somebody or something has ended. */
export const arrivalsTooFast = () => illegalState('rows arrive faster than the query takes them');
export const tooManyFiles = (most: number) => illegalState(`too many export files: ${most}`);
export const queryEnded = (message: string) => illegalState(`query has ended: ${message}`);
/** To whoever wants rows in a form that names all columns first, and does not say which. */
export const tooMuchToHold = (characters: number) =>
  illegalState(`name the fields: the rows take more than ${characters} characters`);

export const malformedRequest = () => invalidArgument('malformed request');
export const malformedBody = () => invalidArgument('malformed request body');

export const unauthorized = () =>
  new ApiError(401, 'unauthorized', 'invalid api key', { 'www-authenticate': 'Bearer' });
export const noPermission = () => illegalState('no-permission');

export const notFound = (thing: string, id: string) => illegalState(`${thing} not found: ${id}`);
export const datasetWithoutAuthor = (name: string) => illegalState(`dataset has no author: ${name}`);
export const duplicatedName = (name: string) => illegalState(`duplicated name: ${name}`);
export const duplicatedGuid = (guid: string) => illegalState(`duplicated guid: ${guid}`);
export const duplicatedLogin = (login: string) => illegalState(`duplicated login: ${login}`);
export const duplicatedCode = (code: string) => illegalState(`duplicated code: ${code}`);
export const duplicatedAddress = (ip: string) => illegalState(`duplicated address: ${ip}`);
export const duplicatedTableGroup = (name: string) => illegalState(`duplicated-name [name: ${name}]`);
export const noParentTableGroup = (guid: string) => illegalState(`parent-table-group-not-found [guid: ${guid}]`);
export const parentCycle = (thing: string, guid: string) => illegalState(`parent ${thing} would form a cycle: ${guid}`);
export const precedingCycle = (guid: string) => illegalState(`preceding query would form a cycle: ${guid}`);
export const noCronSchedule = (guid: string) => illegalState(`scheduled query has no cron schedule: ${guid}`);
export const lastMaster = (guid: string) => illegalState(`cannot remove last master: ${guid}`);

export const duplicatedLoggerModel = (name: string) => illegalState(`duplicated logger model: ${name}`);
export const notPushable = (guid: string) => illegalState(`logger does not accept pushed logs: ${guid}`);
export const notRunning = (guid: string) => illegalState(`logger is not running: ${guid}`);
export const alreadyEnabled = (thing: string, guid: string) => illegalState(`${thing} is already enabled: ${guid}`);
export const alreadyDisabled = (thing: string, guid: string) => illegalState(`${thing} is already disabled: ${guid}`);
export const alreadyRunning = (thing: string, guid: string) => illegalState(`${thing} is already running: ${guid}`);
export const notAssigned = () => illegalState('not assigned');
export const noApprovers = () => illegalState('no-approvers');
export const notCompleted = () => illegalState('not-completed');
export const cannotDecide = (guid: string) => illegalState(`cannot approve or reject unsubmitted ticket: ${guid}`);
export const notAssigneeStatus = (_param: string, values: readonly string[]) =>
  invalidArgument(`assignee status should be one of ${values.join(', ')}.`);
export const notApproverStatus = (_param: string, values: readonly string[]) =>
  invalidArgument(`approver status should be one of ${values.join(', ')}.`);
/** In the ledger, of a run whose findings are too many to be any. */
export const tooManyMatches = (matches: number, most: number) =>
  illegalState(`too many matches: ${matches} is more than ${most}`);
export const commandTemplateNotFound = (id: number) => illegalState(`command template not found: ${id}`);
export const snapshotNotFound = (thing: string, guid: string, version: number) =>
  illegalState(`${thing} snapshot not found: ${guid} v${version}`);
export const wrongCryptoKey = (bytes: number) => invalidArgument(`'key' should be ${bytes} bytes in base64.`);
export const masterSecretRefused = (state: 'missing' | 'wrong') => illegalState(`master secret is ${state}`);
export const profileClosed = (guid: string) => illegalState(`crypto profile is closed: ${guid}`);
export const tableClosed = (table: string) => illegalState(`table is closed: ${table}`);
export const tableCorrupt = (table: string, file: string) => illegalState(`table is damaged: ${table} [file: ${file}]`);
export const noMemoryLeft = (table: string) => illegalState(`no memory left: ${table}`);
export const memoryFolderRefused = () => illegalState('memory-folder is not usable');
export const noSpaceLeft = (table: string) => illegalState(`no space left: ${table}`);

/** HEAD and PATCH say 404, so that clients of the tus protocol start anew. */
export const noUploadStream = (token: string, status: 404 | 500 = 500) =>
  new ApiError(status, 'illegal-state', `upload stream not found: ${token}`);
export const uploadNotCompleted = (token: string) => illegalState(`upload stream not completed: ${token}`);
export const wrongGzip = (token: string) => illegalState(`wrong gzip data: ${token}`);
export const testTookTooLong = () => illegalState('test took too long');
/** Of what an account, or the service, may keep. */
export const tooMany = (things: 'api keys' | 'datasets' | 'upload streams', most: number) =>
  illegalState(`too many ${things}: ${most}`);
export const wrongOffset = (offset: number) => new ApiError(409, 'invalid-offset', `upload offset should be ${offset}`);
export const unsupportedVersion = (header: string, version: string, supported: string) =>
  new ApiError(412, 'unsupported-version', `${header} should be ${version}`, { [supported]: version });

export const noSuchOperation = (method: string, path: string) =>
  new ApiError(404, 'not-found', `no such operation: ${method} ${path}`);
export const methodNotAllowed = (method: string, path: string, allowed: readonly string[]) =>
  new ApiError(405, 'method-not-allowed', `method not allowed: ${method} ${path}`, { allow: allowed.join(', ') });
export const bodyTooLarge = (limitBytes: number) =>
  new ApiError(413, 'request-too-large', `request body must be shorter than or equal to ${limitBytes} bytes.`);
export const tooManyLines = (most: number) =>
  new ApiError(413, 'request-too-large', `request body must be less than or equal to ${most} lines.`);
export const tooManyValues = (most: number) =>
  new ApiError(413, 'request-too-large', `request body must be less than or equal to ${most} values.`);
/** What is left of the body is not waited for. */
export const bodyTooLate = () =>
  new ApiError(408, 'request-timeout', 'request body did not arrive in time', { connection: 'close' });
export const headTooLarge = () => new ApiError(431, 'request-too-large', 'request line or headers are too long');
export const unsupportedContent = (type: string) =>
  new ApiError(415, 'unsupported-media-type', `unsupported content type: ${type}`);
export const tooManyRequests = (retryAfterSeconds: number) =>
  new ApiError(429, 'too-many-requests', 'too many requests', { 'retry-after': String(retryAfterSeconds) });
/** No memory is left for the body; what is left of it is not waited for. */
export const noRoomForBody = () =>
  new ApiError(429, 'too-many-requests', 'too many requests', { 'retry-after': '1', connection: 'close' });
export const unknownHost = (host: string) => new ApiError(421, 'unknown-host', `unknown host: ${host}`);
export const unavailable = (state: 'starting' | 'stopping') =>
  new ApiError(503, 'unavailable', `service is ${state}`, { 'retry-after': '1' });
/** For how long nobody should ask again, in seconds: long enough for a server that starts anew. */
const DATABASE_RETRY = '5';
export const databaseUnreachable = () =>
  new ApiError(503, 'unavailable', 'database is not reachable', { 'retry-after': DATABASE_RETRY });
export const internalError = (requestId: string) => new ApiError(500, 'internal-error', `internal error: ${requestId}`);
