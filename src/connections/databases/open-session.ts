// Opens a session by the kind of its profile. Drivers are loaded with the first use of their kind.

import type { DatabaseSession, DatabaseTarget } from './database-session.ts';

export async function openSession(target: DatabaseTarget): Promise<DatabaseSession> {
  if (target.kind === 'mysql') {
    const { openMysql } = await import('#connections/mysql/mysql-session.ts');
    return await openMysql(target);
  }
  const { openPostgres } = await import('#connections/postgres/postgres-session.ts');
  return await openPostgres(target);
}
