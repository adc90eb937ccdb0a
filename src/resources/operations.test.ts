import { describe, expectTypeOf, it } from 'vitest';
import type { Operations } from './index.ts';

type Request<O extends keyof Operations> = Operations[O]['request'];
type Answer<O extends keyof Operations> = Operations[O]['answer'];

describe('The type of all operations', () => {
  it('knows those that are declared one by one', () => {
    expectTypeOf<Request<'GET /api/core/tables/:table'>['table']>().toEqualTypeOf<string>();
    expectTypeOf<NonNullable<Answer<'GET /api/core/tables/:table'>['table']>['retention']>().toEqualTypeOf<number>();
    expectTypeOf<Answer<'GET /healthz'>>().toEqualTypeOf<{ readonly status: 'ok' }>();
  });

  it('knows those of a family, lists without what is shown alone', () => {
    type Listed = Answer<'GET /api/core/ticket-repos'>['ticket_repos'][number];
    type Alone = NonNullable<Answer<'GET /api/core/ticket-repos/:guid'>['ticket_repo']>;
    expectTypeOf<Listed['name']>().toEqualTypeOf<string>();
    expectTypeOf<'shared_users' extends keyof Listed ? true : false>().toEqualTypeOf<false>();
    expectTypeOf<Alone['shared_users'][number]['read_only']>().toEqualTypeOf<boolean>();
    expectTypeOf<Alone['description']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Request<'POST /api/core/ticket-repos'>['name']>().toEqualTypeOf<string>();
    expectTypeOf<Request<'DELETE /api/core/ticket-repos'>['guids']>().toEqualTypeOf<readonly string[]>();
  });

  it('knows families that are addressed by a code', () => {
    expectTypeOf<Request<'GET /api/core/log-schemas/:code'>['code']>().toEqualTypeOf<string>();
    expectTypeOf<Answer<'POST /api/core/log-schemas'>>().toEqualTypeOf<{ readonly code: string }>();
  });

  it('knows both kinds of rules apart', () => {
    type Batch = Answer<'GET /api/core/batch-rules'>['rules'][number];
    type Stream = Answer<'GET /api/core/stream-rules'>['rules'][number];
    expectTypeOf<Batch['schedule']>().toEqualTypeOf<string>();
    expectTypeOf<'schedule' extends keyof Stream ? true : false>().toEqualTypeOf<false>();
  });
});
