// The parts of the test suite, the only list of them. A test file belongs to `npm test` unless a part here names it; the
// projects of vitest, what the set-up prepares and the closing lines of a run are derived from this.

import { globSync } from 'node:fs';
import { isTest, ROOT, sourcesIn } from './support/sources.ts';

/** Programs beside npm's packages. The global set-up installs those that the parts of a run need. */
export type Program = 'mariadb' | 'rsyslog' | 'chromium' | 'clickhouse' | 'old-clickhouse';

export type MetadataDatabase = 'sqlite' | 'postgres';
export type OutsideDatabase = 'postgresql' | 'mysql';

export interface Part {
  /** What it holds, in a few words. */
  readonly about: string;
  readonly files: readonly string[];
  readonly needs: readonly Program[];
  /** The metadata databases of suites that hold on each of them. */
  readonly databases: readonly MetadataDatabase[];
  /** The databases of connection profiles, for suites that hold on each of them. */
  readonly outside: readonly OutsideDatabase[];
  /** Vite makes their modules, as it does for the browser: they import components, and load a page anew. */
  readonly isMadeByVite: boolean;
  /** Its suites measure their own process (memory, open files, event loop): they run first, and not beside others. */
  readonly measures: boolean;
}

type Declared = Pick<Part, 'about' | 'files'> & Partial<Part>;

/** `npm test` runs them on PostgreSQL. */
const MARIADB_SUITES = ['test/contract/{connection-tls,connections,database-examples}.test.ts'];

/** The published contract and the store: `npm test` runs them on both databases. */
const CONTRACT_ON_POSTGRES = [
  'src/{cluster,store}/**/*.test.ts',
  'src/resources/{audit-logs,tables}/list.test.ts',
  'test/contract/{scheduled-query-scenarios,cancel-upload}.test.ts',
  'test/contract/scheduled-queries/{refusals,remove-and-stop,records}.test.ts',
  'test/contract/queries/{get-query,status}.test.ts',
  'test/contract/rules/{restore,versions}.test.ts',
];

/** What `npm test` leaves out: `npm run test:NAME` runs one part, `npm run test:rest` all. */
const LEFT_OUT: Readonly<Record<string, Declared>> = {
  limits: {
    about: 'processor time, memory and event loop',
    files: ['test/limits/**/*.test.ts', 'src/logs/runs/{duckdb,statements}/{limits,memory}.test.ts'],
    measures: true,
  },
  browser: { about: 'the console in Chromium', files: ['test/console/**/*.test.ts'], needs: ['chromium'] },
  clickhouse: {
    about: 'logs on ClickHouse',
    files: [
      'src/logs/stores/{clickhouse,both}/**/*.test.ts',
      'src/cli/verify-engine/*.test.ts',
      'src/cli/key/renew-audit-nodes.test.ts',
      'test/support/clickhouse/*.test.ts',
      'test/contract/{cancelled-moves,clickhouse-shards,log-store-limits}.test.ts',
      'test/contract/{logs-on-clickhouse,moved-tables,tables-in-two-locations}.test.ts',
      'test/upgrade/opened-on-clickhouse.test.ts',
    ],
    needs: ['clickhouse', 'old-clickhouse'],
  },
  nodes: { about: 'several nodes', files: ['test/cluster/*.test.ts'], needs: ['clickhouse'] },
  crash: { about: 'kills and cut connections', files: ['test/crash/*.test.ts'], needs: ['clickhouse'] },
  fuzz: { about: 'generated input', files: ['test/fuzz/*.test.ts'] },
  differential: {
    about: 'one meaning in every evaluator',
    files: ['test/differential/*.test.ts'],
    needs: ['clickhouse'],
  },
  senders: {
    about: 'programs of others that send logs',
    files: [
      'test/senders/{clients,documented-programs,loggers,programs,python,syslog-ng}.test.ts',
      'test/collectors/{real-senders,syslog-tls-programs}.test.ts',
    ],
    needs: ['rsyslog'],
  },
  packaging: {
    about: 'the packages of a release, installed and started',
    files: ['test/packaging/*.test.ts'],
  },
  schema: { about: 'requests made from the OpenAPI document', files: ['test/schema/*.test.ts'] },
  mariadb: {
    about: 'connection profiles of MariaDB',
    files: MARIADB_SUITES,
    needs: ['mariadb'],
    outside: ['mysql'],
  },
  databases: {
    about: 'queries over connection profiles',
    files: ['test/contract/databases.test.ts'],
    needs: ['mariadb'],
  },
  processes: {
    about: 'the executable as a process, its limits and its documents',
    files: [
      'test/{bundle,demo,documents}.test.ts',
      'test/contract/{console-address,file-modes,full-disk,full-disk-cursors,full-disk-uploads,hangup}.test.ts',
      'test/contract/import-as-a-user.test.ts',
      'test/contract/{log-lease,nodes,process,store-outage}.test.ts',
      'test/collectors/{full-disk,many-files}.test.ts',
      'test/protection/{closed-tables,secrecy,upload-crashes,upload-secrecy}.test.ts',
      'test/senders/full-disk.test.ts',
      'src/cli/shell/terminal/terminal.test.ts',
      'src/cli/serve/service-process.test.ts',
      'src/resources/lookups/lookup-crash.test.ts',
      'src/store/postgres/broken-connections.test.ts',
    ],
  },
  depth: {
    about: 'more forms, more input and longer runs of what npm test holds',
    files: [
      'src/logs/stores/embedded/embedded-store-{forms,on-postgres}.test.ts',
      'src/logs/stores/embedded/reads/{newest-first,read-columns,word-selection}.test.ts',
      'src/logs/runs/statements/function-arguments.test.ts',
      'src/logs/stores/embedded/storage/{batch-files,corruption,merge}.test.ts',
      'src/audit/verify/verify-service.test.ts',
      'src/cli/key/{renew-audit,renew-audit-gap}.test.ts',
      'src/detection/stream/rule-index/candidate-index.test.ts',
      'src/ingest/decode/line-decoder.test.ts',
      'src/queries/formats/round-trips.test.ts',
      'src/query/normalized.test.ts',
      'src/query/sql/element-limits.test.ts',
      'src/query/statements/{charts,fulltext,keys,local,pipelines,unread-outputs,windows}.test.ts',
      'src/query/values/{aggregates,dates/dates,regexes/regexes}.test.ts',
      'src/resources/loggers/push-limits.test.ts',
      'src/resources/query/too-large.test.ts',
      'src/resources/upload-streams/{concurrency,dropped}.test.ts',
      'src/scheduler/cron/cron-properties.test.ts',
      'src/scheduler/many-schedules.test.ts',
      'src/vault/file-cipher.test.ts',
      'test/collectors/syslog-limits.test.ts',
      'test/contract/{limits,slow-readers,unread-bodies}.test.ts',
      'test/effects.test.ts',
      'test/contract/queries/{admission,catalog-counts,charts,counts,disturbances,races,rehearsal,running}.test.ts',
      'test/contract/stream-rules/{many-matches,same-values}.test.ts',
      'test/openapi/{generated-client,validators}.test.ts',
      'test/protection/upload-damage.test.ts',
      'test/upgrade/{refused,rewritten}.test.ts',
    ],
  },
  postgres: { about: 'suites of npm test on PostgreSQL', files: [], databases: ['postgres'] },
};

const DEFAULTS = {
  needs: [],
  databases: ['sqlite', 'postgres'],
  outside: ['postgresql', 'mysql'],
  isMadeByVite: false,
  measures: false,
} as const;
const complete = (part: Declared): Part => ({ ...DEFAULTS, ...part, files: filesOf(part.files) });

const isListed = new Set(Object.values(LEFT_OUT).flatMap(({ files }) => filesOf(files)));
const ALL = sourcesIn('src/**/*.test.ts', 'test/**/*.test.ts', 'console/src/**/*.test.ts').filter(isTest);
const mariadbFiles = new Set(filesOf(MARIADB_SUITES));
const isOfConsole = (path: string) => path.startsWith('console/');
const quickFiles = ALL.map(({ path }) => path).filter(
  (path) => (!isListed.has(path) && !isOfConsole(path)) || mariadbFiles.has(path),
);
const contractFiles = new Set(filesOf(CONTRACT_ON_POSTGRES));

/** Suites with a variant for each metadata database. */
const isOnEachDatabase =
  /\bonEachDatabase\(|\bonEachFixture\(|\bof databases\b|\beach\(databases\)|\bdatabases\.(flatMap|filter)\(/;
const quickSources = ALL.filter(({ path }) => quickFiles.includes(path));
const onEachDatabase = quickSources.filter(({ text }) => isOnEachDatabase.test(text)).map(({ path }) => path);

/** The parts that `npm test` runs. */
export const QUICK: Readonly<Record<string, Part>> = {
  quick: complete({
    about: 'everything that no other part names',
    files: quickFiles,
    databases: ['sqlite'],
    outside: ['postgresql'],
  }),
  console: complete({
    about: 'the logic of the console',
    files: ALL.map(({ path }) => path).filter(isOfConsole),
    isMadeByVite: true,
  }),
  contract: complete({
    about: 'the published contract on PostgreSQL',
    files: onEachDatabase.filter((path) => contractFiles.has(path)),
    databases: ['postgres'],
  }),
};

/** The parts that `npm run test:rest` runs. */
export const REST: Readonly<Record<string, Part>> = Object.fromEntries(
  Object.entries(LEFT_OUT).map(([name, part]) => [
    name,
    complete(
      name === 'postgres' ? { ...part, files: onEachDatabase.filter((path) => !contractFiles.has(path)) } : part,
    ),
  ]),
);

function filesOf(patterns: readonly string[]): string[] {
  return patterns.flatMap((pattern) => {
    const found = globSync(pattern, { cwd: ROOT });
    if (found.length === 0) throw new Error(`no test file is called ${pattern}`);
    return found;
  });
}
