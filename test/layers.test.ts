// Who may import whom. Imports point down the ladder; a resource never imports another resource.

import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isTest, type Source, sourcesIn } from '#test/support/sources.ts';

const LADDER = [
  'kernel',
  'runtime',
  'contract',
  'files',
  'store',
  'cluster',
  'vault',
  'query',
  'connections',
  'logs',
  'audit',
  'access',
  'queries',
  'operations',
  'ingest',
  'objects',
  'scheduler',
  'detection',
  'collectors',
  'senders',
  'settings',
  'docs',
  'resources',
  'client',
  'http',
  'app',
  'demo',
  'verification',
  'cli',
];

/**
 * The folders of the logs, bottom first. Files of the room's own folder are interfaces and what both sides speak of, so
 * they are below all others; runs execute plans and know no store.
 */
const LOGS_LADDER = [
  '',
  'lines',
  'parquet',
  'runs/duckdb',
  'lookups',
  'runs/arrivals',
  'runs/tables',
  'runs/local',
  'runs/statements/stages',
  'runs/statements/charts',
  'runs/statements/counts',
  'runs/statements/groups',
  'runs/statements/sinks',
  'runs/statements',
  'stores/shared',
  'stores/embedded/text-index',
  'stores/embedded/storage',
  'stores/embedded/protection',
  'stores/embedded/reads',
  'stores/embedded',
  'stores/clickhouse/server',
  'stores/clickhouse/storage',
  'stores/clickhouse/reads',
  'stores/clickhouse',
  'stores/both',
];

/**
 * The rooms of the query language, bottom first; files of its own folder and the rules stand above them. The shape of a
 * function belongs to the model, because a call in an expression holds its declaration; local is below statements, because
 * the SQL of a named parser runs its body locally.
 */
const QUERY_LADDER = [
  'model',
  'values',
  'functions',
  'language',
  'rows',
  'sql',
  'plan-nodes',
  'planning',
  'commands',
  'analysis',
  'local',
  'statements',
  '',
  'rules',
  'examples',
];

const sources = sourcesIn('src/**/*.ts').filter((source) => !isTest(source));
const consoleSources = sourcesIn('console/src/**/*.{ts,tsx}').filter((source) => !isTest(source));

describe('The layers', () => {
  it('have every room on the ladder', () => {
    const rooms = new Set(sources.map(({ path }) => roomOf(path)));
    expect([...rooms].filter((room) => !LADDER.includes(room))).toEqual([]);
  });

  it('import downwards only', () => {
    const upward = sources.flatMap(({ path, text }) =>
      importsOf(text)
        .filter((target) => target.startsWith('#'))
        .filter((target) => rung(roomOf(`src/${target.slice(1)}`)) > rung(roomOf(path)))
        .map((target) => `${path} imports ${target}`),
    );
    expect(upward).toEqual([]);
  });

  it('import downwards inside the logs, too, where every folder has its rung', () => {
    const folderOf = (path: string) => dirname(path).slice('src/logs/'.length);
    const logsRung = (path: string) => LOGS_LADDER.indexOf(folderOf(path));
    const own = sources.filter(({ path }) => path.startsWith('src/logs/'));
    expect(new Set(own.map(({ path }) => folderOf(path)))).toEqual(new Set(LOGS_LADDER));
    const upward = own.flatMap(({ path, text }) =>
      importsOf(text)
        .map((target) => pathOf(path, target))
        .filter((target) => target.startsWith('src/logs/'))
        .filter((target) => logsRung(target) > logsRung(path))
        .map((target) => `${path} imports ${target}`),
    );
    expect(upward).toEqual([]);
  });

  it('import downwards inside the query language, too, types included', () => {
    const queryRoom = (path: string) => /^src\/query\/([^/]+)\//.exec(path)?.[1] ?? '';
    const own = sources.filter(({ path }) => path.startsWith('src/query/'));
    expect(new Set(own.map(({ path }) => queryRoom(path)))).toEqual(new Set(QUERY_LADDER));
    const upward = own.flatMap(({ path, text }) =>
      importsOf(text)
        .map((target) => pathOf(path, target))
        .filter((target) => target.startsWith('src/query/'))
        .filter((target) => QUERY_LADDER.indexOf(queryRoom(target)) > QUERY_LADDER.indexOf(queryRoom(path)))
        .map((target) => `${path} imports ${target}`),
    );
    expect(upward).toEqual([]);
  });

  it('keep SQL inside the query language, the logs and their verification; others import only types of plan nodes', () => {
    const outside = sources.filter(({ path }) => !/^src\/(query|logs|verification)\//.test(path));
    const sql = outside.flatMap(({ path, text }) =>
      [
        ...importsOf(text).filter((target) => /^#query\/(sql|statements)\//.test(target)),
        ...[...text.matchAll(/^import (?!type )[^;]*?from '(#query\/plan-nodes\/[^']+)'/gm)].map(
          ([, target = '']) => target,
        ),
      ].map((target) => `${path} imports ${target}`),
    );
    expect(sql).toEqual([]);
  });

  it('keep resources ignorant of each other', () => {
    const crossing = sources
      .filter(({ path }) => path.startsWith('src/resources/') && path !== 'src/resources/index.ts')
      .flatMap((source) => importsOf(source.text).filter((target) => isOtherResource(source, target)));
    expect(crossing).toEqual([]);
  });

  it('write ./ for their own files and # for other rooms, never ../', () => {
    const climbing = sourcesIn('{src,test,bench,bin}/**/*.ts', 'console/src/**/*.{ts,tsx}').flatMap(({ path, text }) =>
      importsOf(text)
        .filter((target) => target.startsWith('../'))
        .map((target) => `${path} imports ${target}`),
    );
    expect(climbing).toEqual([]);
  });

  it('have the console above them all: no room imports it', () => {
    const importing = sourcesIn('src/**/*.ts').flatMap(({ path, text }) =>
      importsOf(text)
        .filter((target) => target.startsWith('#console/'))
        .map((target) => `${path} imports ${target}`),
    );
    expect(importing).toEqual([]);
  });

  it('give the console the client and the contract alone, and no value that does not run in a browser', () => {
    const isAllowed = (target: string) => /^#(console|contract|client)\//.test(target);
    const others = consoleSources.flatMap(({ path, text }) =>
      importsOf(text)
        .filter((target) => target.startsWith('#') && !isAllowed(target))
        .map((target) => `${path} imports ${target}`),
    );
    expect(others).toEqual([]);
    const loaded = new Set(
      consoleSources
        .flatMap(({ text }) => valueImportsOf(text))
        .filter((target) => /^#(contract|client)\//.test(target)),
    );
    const textOf = new Map(sources.map(({ path, text }) => [path, text]));
    // A set also iterates over the items that are added meanwhile.
    const files = new Set([...loaded].map((target) => `src/${target.slice(1)}`));
    for (const file of files) {
      const own = valueImportsOf(textOf.get(file) ?? '').filter((target) => /^[.#]/.test(target));
      for (const target of own) files.add(pathOf(file, target));
    }
    expect(files.size).toBeGreaterThan(0);
    const ofNode = [...files].filter((file) => /from 'node:|\b(process|Buffer)\./.test(textOf.get(file) ?? ''));
    expect(ofNode).toEqual([]);
  });

  it('load Kysely only inside the store, and there only when a query asks for it', () => {
    const eager = sources
      .filter(({ text }) => /^import (?!type )[^;]*from 'kysely'/m.test(text))
      .map(({ path }) => path);
    expect(eager).toEqual([]);
  });
});

function roomOf(path: string): string {
  const [, room = '', ...rest] = path.split('/');
  return rest.length === 0 ? '' : room;
}

/** Of a file that is imported by another. */
const pathOf = (path: string, target: string): string =>
  target.startsWith('#') ? `src/${target.slice(1)}` : join(dirname(path), target);

const rung = (room: string) => LADDER.indexOf(room);

function importsOf(text: string): string[] {
  const statics = [...text.matchAll(/^(?:import|export) [^;]*?from '([^']+)'/gms)].map(([, target = '']) => target);
  const dynamics = [...text.matchAll(/\bimport\('([^']+)'\)/g)].map(([, target = '']) => target);
  return [...statics, ...dynamics];
}

/** Static and dynamic imports that are there at run time. */
const valueImportsOf = (text: string): string[] => importsOf(text.replaceAll(/^(?:import|export) type [^;]*;/gms, ''));

function isOtherResource({ path }: Source, target: string): boolean {
  const own = path.split('/')[2];
  return target.startsWith('#resources/') && target.split('/')[1] !== own;
}
