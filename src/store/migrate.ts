// Brings a database to the newest migration before anything else reads it.

import type { Driver } from './connection.ts';
import { migrations, type Types } from './migrations/index.ts';

const LEDGER = 'create table if not exists migrations (number integer primary key, name text not null)';

export async function migrate(driver: Driver): Promise<void> {
  await driver.begin();
  try {
    await driver.writer.exec(LEDGER);
    const [row] = await driver.writer.all('select coalesce(max(number), 0) as newest from migrations');
    const newest = Number(row?.newest);
    if (newest > migrations.length) throw new NewerDatabase(newest);
    for (const [index, migration] of migrations.entries()) {
      if (index < newest) continue;
      for (const statement of migration.statements(typesOf(driver))) await driver.writer.exec(statement);
      await driver.writer.insertMany('migrations', ['number', 'name'], [[index + 1, migration.name]]);
    }
    await driver.commit();
  } catch (error) {
    await driver.rollback();
    throw error;
  }
}

export class NewerDatabase extends Error {
  constructor(newest: number) {
    super(`the database is at migration ${newest}, this version knows ${migrations.length}: run the newer version`);
  }
}

function typesOf(driver: Driver): Types {
  return { dialect: driver.dialect, text: driver.dialect === 'sqlite' ? 'text' : 'text collate "C"' };
}
