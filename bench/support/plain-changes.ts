// What PostgreSQL itself does: clients that insert a row and an entry beside it, a durable transaction each.

import pg from 'pg';

interface PlainOrder {
  readonly database: string;
  readonly clients: number;
  readonly milliseconds: number;
}

/** Transactions per second. */
export async function plainChanges({ database, clients, milliseconds }: PlainOrder): Promise<number> {
  const connections = Array.from({ length: clients }, () => new pg.Client({ connectionString: database }));
  await Promise.all(connections.map((connection) => connection.connect()));
  await connections[0]?.query(`create table if not exists plain_objects (id bigserial primary key, name text unique, content text);
    create table if not exists plain_entries (id bigserial primary key, content text)`);
  const begun = performance.now();
  const counts = await Promise.all(
    connections.map(async (connection, client) => {
      let count = 0;
      for (; performance.now() - begun < milliseconds; count += 1) {
        const name = `${Math.round(begun)} ${client} ${count}`;
        await connection.query(`begin; insert into plain_objects (name, content) values ('${name}', repeat('o', 200));
          insert into plain_entries (content) values (repeat('e', 600)); commit`);
      }
      return count;
    }),
  );
  const seconds = (performance.now() - begun) / 1000;
  await Promise.all(connections.map((connection) => connection.end()));
  return counts.reduce((sum, count) => sum + count, 0) / seconds;
}
