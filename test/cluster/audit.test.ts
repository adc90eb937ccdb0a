// One audit trail of three services, each with a key and a witness of its own: it is proven from each of them.

import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isSignedBy, signCheckpoint } from '#audit/chain/checkpoint.ts';
import { makeSigningKey } from '#audit/chain/keys.ts';
import { publicKeyOf } from '#kernel/public-key.ts';
import { runCli } from '#test/support/cli.ts';
import type { ClusterNode } from '#test/support/cluster.ts';
import { describeCluster } from '#test/support/cluster-suite.ts';
import type { Wire } from '#test/support/service.ts';

interface Loss {
  readonly node: ClusterNode;
  readonly isFirst: boolean;
}

describeCluster('The audit trail of three services', (suite) => {
  const verified = async ({ folder }: ClusterNode) => {
    const folders = ['--data', join(folder, 'data'), '--keys', join(folder, 'keys')];
    const run = await runCli(['audit', 'verify', '--json', ...folders, '--database', suite.cluster.database], {});
    expect(run.stderr).toBe('');
    return JSON.parse(run.stdout) as Wire;
  };
  const change = async (node: ClusterNode, name: string) => {
    const answer = await node.call('POST', '/api/core/companies', { form: { name } });
    expect(answer.status, answer.text).toBe(200);
  };
  const joined = async () =>
    (
      await suite.cluster.sql("select msg_params::json ->> 'node' as node from audit_entries where method = 'join'")
    ).map(({ node }) => node);

  it('is proven from each while all write, and a key is unconfirmed until an older node has signed', async () => {
    await Promise.all(Array.from({ length: 30 }, (_, n) => change(suite.cluster.node(n % 3), `company ${n}`)));
    const [first] = await suite.cluster.sql("select value from installation where key = 'audit-key'");
    const keys = await suite.cluster.sql('select name, public_key from nodes order by name');
    const installer = keys.find(({ public_key }) => public_key === first?.value)?.name;
    expect((await joined()).toSorted()).toEqual(['n1', 'n2', 'n3'].filter((name) => name !== installer));
    for (const node of suite.cluster.nodes) {
      const verdict = await verified(node);
      expect(verdict, JSON.stringify(verdict)).toMatchObject({ ok: true });
      const unconfirmed = verdict.remarks.filter(({ remark }: Wire) => remark === 'key-unconfirmed');
      // The first node has signed nothing since the others joined.
      if (node.name === installer) expect(unconfirmed).toHaveLength(2);
    }
  });

  it('has an entry of each that asked for one name at once: one of them has got it, and the others are told', async () => {
    const names = Array.from({ length: 12 }, (_, n) => `wanted by all ${n}`);
    const asked = names.flatMap((name) =>
      suite.cluster.nodes.map((node) => node.call('POST', '/api/core/companies', { form: { name } })),
    );
    const answers = await Promise.all(asked);
    const refused = answers.filter(({ status }) => status !== 200).map(({ status, json }) => ({ status, json }));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(names.length);
    const texts = names.flatMap((name) => [`duplicated name: ${name}`, `duplicated name: ${name}`]);
    expect(refused.map(({ json }) => json.error_msg).toSorted()).toEqual(texts.toSorted());
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([500]));
    const kept = await suite.cluster.sql("select name from companies where name like 'wanted by all %'");
    expect(kept.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    const entries = await suite.cluster.sql(
      "select coalesce(error, '') as error from audit_entries where params::text like '%wanted by all %'",
    );
    expect(entries.map(({ error }) => error).toSorted()).toEqual([...names.map(() => ''), ...texts].toSorted());
    for (const node of suite.cluster.nodes) expect(await verified(node)).toMatchObject({ ok: true });
  });

  it('is proven with all keys once each has signed, also when they have started again', async () => {
    for (const node of suite.cluster.nodes) {
      await change(node, `last of ${node.name}`);
      expect(await node.end('SIGTERM')).toBe(0);
    }
    for (const node of suite.cluster.nodes) node.start();
    await Promise.all(suite.cluster.nodes.map((node) => node.ready()));
    for (const node of suite.cluster.nodes) await change(node, `again of ${node.name}`);
    expect(await joined()).toHaveLength(2);
    for (const node of suite.cluster.nodes) {
      const verdict = await verified(node);
      expect(verdict, JSON.stringify(verdict)).toMatchObject({ ok: true });
      expect(verdict.remarks.filter(({ remark }: Wire) => remark === 'key-unconfirmed')).toEqual([]);
      const metrics = (await node.call('GET', '/metrics')).text;
      expect(/^vigil_audit_alarms_total (\d+)$/m.exec(metrics)?.[1]).toBe('0');
    }
  });

  it('has the keys of all, and who signed each checkpoint, whichever is asked', async () => {
    const [first] = await suite.cluster.sql("select value from installation where key = 'audit-key'");
    const named = await suite.cluster.sql('select name, public_key from nodes order by name');
    const joins = await suite.cluster.sql(
      "select id, msg_params::json ->> 'node' as node from audit_entries where method = 'join'",
    );
    const answers = [];
    for (const node of suite.cluster.nodes) answers.push((await node.call('GET', '/api/core/audit-logs/proof')).json);
    const keys = answers[0].public_keys as Wire[];
    for (const { public_key, public_keys, checkpoints } of answers) {
      expect(public_key).toBe(first?.value);
      expect(public_keys).toEqual(keys);
      expect(new Set(checkpoints.map(({ node }: Wire) => node))).toEqual(new Set(['n1', 'n2', 'n3']));
      for (const checkpoint of checkpoints) {
        const text = keys.find(({ node }) => node === checkpoint.node)?.public_key;
        const key = publicKeyOf(text);
        expect(key && isSignedBy(checkpoint, key), JSON.stringify(checkpoint)).toBe(true);
      }
    }
    const told = keys.map(({ node, public_key }) => ({ name: node, public_key }));
    expect(told.toSorted((one, other) => (one.name < other.name ? -1 : 1))).toEqual(named);
    expect(keys[0]).toMatchObject({ public_key: first?.value, from_id: 1 });
    expect(keys.slice(1).map(({ node, from_id }) => ({ node, id: from_id }))).toEqual(
      joins.map(({ node, id }) => ({ node, id: Number(id) })).toSorted((one, other) => one.id - other.id),
    );
  });

  it('is proven from each when a node has lost its key or its witness and renews it, whichever it is', async () => {
    const keyOf = async (name: string) =>
      (await suite.cluster.sql(`select public_key from nodes where name = '${name}'`))[0]?.public_key;
    const installed = async () =>
      (await suite.cluster.sql("select value from installation where key = 'audit-key'"))[0]?.value;
    const first = await installed();
    const [installer] = await suite.cluster.sql(`select name from nodes where public_key = '${first}'`);
    const losses = suite.cluster.nodes.map((node) => ({ node, isFirst: node.name === installer?.name }));
    // A node that joined, then the first one; the third verifies both.
    const [{ node: third }, ...losing] = losses.toSorted((a, b) => Number(a.isFirst) - Number(b.isFirst)) as [
      Loss,
      ...Loss[],
    ];
    for (const { node, isFirst } of losing) {
      expect(await node.end('SIGTERM')).toBe(0);
      if (isFirst) await change(third, 'not signed yet');
      const data = join(node.folder, 'data');
      const keys = join(node.folder, 'keys');
      const renewal = ['key', 'renew-audit', '--data', data, '--keys', keys, '--database', suite.cluster.database];
      expect(await runCli(renewal), 'nothing is lost').toMatchObject({ exitCode: 1 });
      const lost = isFirst ? 'audit-witness-' : 'audit-signing-key';
      const before = await keyOf(node.name);
      for (const name of readdirSync(keys)) if (name.startsWith(lost)) rmSync(join(keys, name));
      const renewed = await runCli(renewal);
      expect(renewed, renewed.stderr).toMatchObject({ exitCode: 0, stderr: '' });
      const after = await keyOf(node.name);
      expect(after).not.toBe(before);
      expect(await installed(), 'the key of the first node').toBe(isFirst ? after : first);
      node.start();
      await node.ready();
      await change(node, `renewed ${node.name}`);
      const [entry] = (await node.call('GET', '/api/core/audit-logs?actions=service.renew-audit')).json.audit_logs;
      expect(entry.msg_params).toMatchObject({ node: node.name, old_public_key: before, new_public_key: after });
      const { public_key, public_keys } = (await node.call('GET', '/api/core/audit-logs/proof')).json;
      expect(public_key).toBe(await installed());
      const told = public_keys.filter((one: Wire) => one.node === node.name).map((one: Wire) => one.public_key);
      expect(told.slice(-2)).toEqual([before, after]);
    }
    // Nothing older than the renewal covers what the third has written meanwhile, until it signs.
    const renewed = losing.at(-1)?.node ?? third;
    expect(await verified(renewed)).toMatchObject({ ok: false, reason: 'before-renewal' });
    expect(await third.end('SIGTERM')).toBe(0);
    for (const node of suite.cluster.nodes) {
      const verdict = await verified(node);
      expect(verdict, `${node.name}: ${JSON.stringify(verdict)}`).toMatchObject({ ok: true });
    }
    // One that joins after all of that knows the keys that were given up, too.
    rmSync(join(third.folder, 'keys/audit-signing-key.pem'));
    for (const name of readdirSync(join(third.folder, 'keys')))
      if (name.startsWith('audit-witness-')) rmSync(join(third.folder, 'keys', name));
    third.start();
    await third.ready();
    for (const node of suite.cluster.nodes) expect(await verified(node)).toMatchObject({ ok: true });
  });

  it('is not proven by a checkpoint of a key that no entry names', async () => {
    for (const node of suite.cluster.nodes) await node.end('SIGTERM');
    const forged = makeSigningKey(join(suite.cluster.node(0).folder, 'forged.pem'));
    const [row] = await suite.cluster.sql('select * from audit_checkpoints order by id desc limit 1');
    const { id, hash, root, created_at } = row as Wire;
    const content = { id: Number(id), hash, root, created_at: Number(created_at) };
    const { signature } = signCheckpoint(content, forged);
    await suite.cluster.sql(`update audit_checkpoints set signature = '${signature}' where id = ${id}`);
    for (const node of suite.cluster.nodes) {
      expect(await verified(node)).toMatchObject({ ok: false, kind: 'bad-checkpoint', first_bad_id: Number(id) });
    }
  });
});
