import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases, type Service, startService } from '#test/support/service.ts';

for (const { name, skip } of databases) {
  describe.skipIf(skip)(`Companies on ${name}`, () => {
    let service: Service;
    beforeAll(async () => {
      service = await startService({ database: name });
    });
    afterAll(() => service[Symbol.asyncDispose]());

    it('are created, found by name, and named once', async () => {
      const made = await service.call('POST', '/api/core/companies', { form: { name: '안랩', description: 'x' } });
      expect(made.status).toBe(200);
      const again = await service.call('POST', '/api/core/companies', { json: { name: '안랩' } });
      expect(again.json).toEqual({ error_code: 'illegal-state', error_msg: 'duplicated name: 안랩' });
      const list = await service.call('GET', '/api/core/companies?keywords=%EC%95%88');
      expect(list.json.total_count).toBe(1);
    });
  });
}
