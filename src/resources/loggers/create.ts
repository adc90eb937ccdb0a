// POST /loggers

import type { Nodes } from '#cluster/members/membership.ts';
import { duplicatedGuid, duplicatedName } from '#contract/errors.ts';
import { newGuid } from '#kernel/guid.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { created } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { newGuidParam } from '#operations/shared-fields.ts';
import { isTaken } from '#store/rows/lists.ts';
import { isNameTaken } from '#store/rows/names.ts';
import {
  applyAfterCommit,
  type CollectorDeps,
  type RuleObserverDeps,
  requireCertificates,
  requireConfigs,
} from './collector-hooks.ts';
import { readSettingsOf, searchOf } from './model.ts';
import { fields } from './params.ts';
import { requireReferences } from './rules.ts';
import { insertLogger } from './store.ts';

export const create = endpoint({
  title: 'Create logger',
  notes:
    'A logger takes logs while it is enabled. `configs` depends on the kind of its model and is checked after the ' +
    'other parameters; keys of other kinds are stored as given. `syslog-udp`: `port`, `bind` (0.0.0.0). ' +
    '`syslog-tcp`: `port`, `bind`, `framing` (`newline` or `octet-count`; recognised per message when absent). ' +
    '`syslog-tls`: as `syslog-tcp` below TLS 1.2 or later, with `cert` and `key` (PEM files in the keys folder by ' +
    'name, by default the certificate of the service), `client_auth` (`none`, `optional` or `required`) and ' +
    '`client_ca` (PEM file there, required unless `none`). ' +
    '`file`: `path` below a folder that the setting `collect-folders` allows, `pattern` of names below it, `from` ' +
    '(`start` or `end`, by default `end`), `charset` (utf-8); files are read every `interval` milliseconds or by ' +
    '`cron_schedule`. `http` has none.\n\n' +
    'Syslog: the sender is in the field `sender_ip`. A message that the parser cannot read, or beyond ' +
    '`line-limit`, is stored as text in `line` and counted in `vigil_malformed_records_total`. Bytes outside of ' +
    'the charset and NUL become U+FFFD, and `_repaired` is true; blank messages are no logs. A malformed octet count closes the ' +
    'connection, and its bytes are stored as a message. Datagrams that the system drops are counted in ' +
    '`drop_count` on Linux, with 0 in `drop_volume`. At a stop or change of a logger, data that has arrived is ' +
    'stored within ten seconds; TCP senders are told first.\n\n' +
    'TLS: the subject of a checked client certificate is in the field `sender_name`, as in RFC 4514. With ' +
    '`optional` a sender may have no certificate, but a wrong one is refused; `sender_name` is then null. Files ' +
    'are read when the logger starts: disable and enable it after a renewal. At most 256 handshakes of ten ' +
    'seconds are open; refused ones are counted in `vigil_refused_handshakes_total`.\n\n' +
    'Files: `path` without `pattern` is a file, or all files of a folder. `pattern` may have `**/`, and `{a,b}` ' +
    'up to 100 alternatives. `from` holds for files that exist when the logger starts or its `path`, `pattern` or ' +
    '`from` changes; `end` is the beginning of an unfinished last line. `charset` is a name of the Encoding ' +
    'Standard, `cp949`, `ms949` or `uhc`; `euc-kr` is read as code page 949. A last line without an end is stored ' +
    'once its file was rotated or removed and does not grow. Name rotated files in the pattern (`app.log*`): with ' +
    '`app.log` alone, only the last file seen is read to its end. With `cron_schedule` files are looked for at ' +
    'these moments alone. Files that a changed `path` or `pattern` no longer names are released. Compressed files ' +
    'are not read: use `delaycompress` with `copytruncate`. A file is identified by inode and its first 1,024 ' +
    'bytes; a truncated file that begins alike and is at least as long is taken for the same. A missing file is ' +
    'remembered for 24 hours. An eighth of the process’s descriptors, at most 1,024, stay open; a closed file ' +
    'that is removed or moved to another folder loses its unread lines.\n\n' +
    '`status` is `running` only while logs reach the table; otherwise `failure` tells the reason, and the ' +
    'collector continues by itself.',
  method: 'POST',
  path: '/api/core/loggers',
  access: 'ADMIN',
  audit: 'loggers.create',
  params: { guid: newGuidParam, ...fields },
  answer: created,

  prepare: (input, needs: Needs) => requireConfigs(needs.db, input, needs),

  async run(input, needs: Needs) {
    const { db, clock, nodes } = needs;
    const {
      guid = newGuid(),
      model_guid,
      name,
      description = null,
      table_name,
      node = nodes.own.name,
      enabled,
    } = input;
    if (await isNameTaken(db, 'loggers', name)) throw duplicatedName(name);
    if (await isTaken(db, 'loggers', { guid })) throw duplicatedGuid(guid);
    await requireReferences(db, { ...input, node }, nodes);
    await requireCertificates(db, input, needs);
    applyAfterCommit(needs);
    needs.afterCommit(() => needs.streamRules.referredChanged('logger', guid));
    const now = clock.now().epochMilliseconds;
    await insertLogger(db, {
      guid,
      model_guid,
      name,
      description,
      table_name,
      group_guid: input.group_guid ?? null,
      node,
      enabled: enabled ? 1 : 0,
      expect_every: input.expect_every,
      alarm_group_guid: input.alarm_group_guid ?? null,
      expected_since: now,
      ...readSettingsOf(input),
      log_count: 0,
      log_volume: 0,
      drop_count: 0,
      drop_volume: 0,
      search: searchOf(input),
      created_at: now,
      updated_at: now,
    });
    return { guid };
  },
});

type Needs = Call & CollectorDeps & RuleObserverDeps & { readonly clock: Clock; readonly nodes: Nodes };
