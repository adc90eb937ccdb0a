// DuckDB by itself, in the process of the bench: what the same engine does with the same log when nothing is over it.

import { rmSync, statSync } from 'node:fs';
import { totalmem } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { DuckDBInstance, type Json } from '@duckdb/node-api';
import type { LogCorpus } from './log-corpus.ts';

export type PlainRow = Record<string, Json>;

export interface BareDuckdb extends Disposable {
  rows(sql: string): Promise<PlainRow[]>;
  /** Milliseconds from an interrupt at that moment of a statement to its end; undefined where it had ended before. */
  interrupted(sql: string, afterMilliseconds: number): Promise<number | undefined>;
  /** The file as one Parquet file, which is replaced where there is one already. */
  copy(corpus: LogCorpus, file: string): Promise<Copied>;
}

export interface Copied {
  readonly file: string;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly bytes: number;
}

export async function openBareDuckdb(): Promise<BareDuckdb> {
  const instance = await DuckDBInstance.create(':memory:', {
    autoinstall_known_extensions: 'false',
    // As much as the service gives its own; threads are as many as there are cores in both.
    memory_limit: `${Math.floor(totalmem() / 2)}B`,
  });
  const connection = await instance.connect();
  const rows = async (sql: string) => await (await connection.run(sql)).getRowObjectsJson();
  return {
    rows,
    async interrupted(sql, afterMilliseconds) {
      const running = connection.run(sql).then(
        () => true,
        () => false,
      );
      await pause(afterMilliseconds);
      const begun = performance.now();
      connection.interrupt();
      return (await running) ? undefined : performance.now() - begun;
    },
    async copy(corpus, file) {
      rmSync(file, { force: true });
      const cpu = process.cpuUsage();
      const begun = performance.now();
      await connection.run(copyStatement(corpus, file));
      const seconds = (performance.now() - begun) / 1000;
      const { user, system } = process.cpuUsage(cpu);
      const [counted] = await rows(`select count(*)::integer as total from read_parquet('${file}')`);
      if (counted?.total !== corpus.records) throw new Error(`the bare copy has ${counted?.total} records`);
      return { file, seconds, cpuSeconds: (user + system) / 1e6, bytes: statSync(file).size };
    },
    [Symbol.dispose]() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

function copyStatement({ file: source, columns }: LogCorpus, file: string): string {
  const types = Object.entries(columns).map(([name, type]) => `${quoted(name)}: ${quoted(type)}`);
  const read = `read_json(${quoted(source)}, format = 'newline_delimited', columns = {${types.join(', ')}})`;
  const wanted = columns._time === 'BIGINT' ? '* replace (epoch_ms(_time) as _time)' : '*';
  return `copy (select ${wanted} from ${read}) to ${quoted(file)} (format parquet, compression snappy)`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
