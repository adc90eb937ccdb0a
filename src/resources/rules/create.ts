// POST /<kind>-rules

import { duplicatedGuid, duplicatedName } from '#contract/errors.ts';
import { contentOf, type RuleInput, requireKnownTemplates, withNames } from '#detection/rules/rule-content.ts';
import { newRule } from '#detection/rules/rule-fields.ts';
import { type RuleKind, ruleTerm } from '#detection/rules/rule-kinds.ts';
import { findRule, writeVersion } from '#detection/rules/rule-store.ts';
import { newGuid } from '#kernel/guid.ts';
import { createdWithFindings } from '#operations/answers/finding-shapes.ts';
import { endpoint } from '#operations/endpoint.ts';
import { isNameTaken } from '#store/rows/names.ts';
import { validateQueryTexts, type WriteDeps } from './query-texts.ts';
import { reschedule } from './schedule.ts';

const NUMBERING =
  'Writes version 1, or the next one where rules of this GUID existed. The same guid or name may exist in both ' +
  'kinds.';

const RAISING =
  '`$field` in `msg` and `suppress_key` is the longest name that fits; a dot at its end ends a sentence, a ' +
  'missing field gives nothing, a map or list its JSON. Keys beyond 2,000 bytes are cut to 1,900 with their ' +
  'SHA-256; NUL and half characters become U+FFFD. A match joins the event of its key within ' +
  '`event_suppress_interval` of its first match; a match up to as much older joins too.\n\n' +
  '`ticket_suppress_interval` counts between first times of events; a closed ticket is never joined. ' +
  'ETIR_THRESHOLD counts events without a ticket, and all of them join it. Title of a ticket is the text of its ' +
  'event, cut at 255 characters, content its fields as JSON. Only single addresses are added to an address group: ' +
  '`hits` counts matches, an expiry is only extended, the description is the name of the rule. A removed ' +
  'repository or address group is skipped, with a line in the service log.';

const BATCH_MATCHES =
  'Each row of the query is a match; its time is `_time` where that is a date, otherwise the time of the slot. A ' +
  'dataset is planned with the rights of its author.';

const STREAM_MATCHES =
  'A rule examines logs of its schema as they arrive: of its loggers or models, or, without any, of all, uploads ' +
  'included. The schema of a log is that of its table, or the one that a rule of the logger’s model assigned; ' +
  '`_schema` of a sender does not count. Rows of the command `import` are not examined. The list that ' +
  '`source_type` does not choose is stored and not used.\n\n' +
  'Conditions see the record as a query will, with `_table` and `_time`; `_id`, `_node`, `$("_from")` and ' +
  '`$("_to")` are null, and numbers are as sent. Each condition is read by itself and does not know the columns ' +
  'that earlier ones dropped. `rand`, `guid`, `encrypt` and `randbytes` are 92002, a constant argument that ' +
  'depends on `now()` is 90302, a value too large is null. `invert` of free text (template 1) holds where the ' +
  'text does not pass the record. Address groups in conditions are references of the rule; a rule over a removed ' +
  'group matches nothing. A missing template is reported after the rule and its name, before other references.\n\n' +
  'A rule that needs more than `rule-steps` for a record does not match it; it works again with the next record ' +
  'it judges. Of more than 100,000 matches in one push the first 100,000 become events. A rule disabled or ' +
  'removed while a log is on its way raises nothing.';

const NOTES: Readonly<Record<RuleKind, string>> = {
  batch: `${NUMBERING}\n\n${BATCH_MATCHES}\n\n${RAISING}`,
  stream: `${NUMBERING}\n\n${STREAM_MATCHES}\n\n${RAISING}`,
};

export const create = <K extends RuleKind>(kind: K) =>
  endpoint({
    title: `Create ${ruleTerm(kind)}`,
    notes: NOTES[kind],
    method: 'POST',
    path: `/api/core/${kind}-rules`,
    access: 'ADMIN',
    audit: `${kind as RuleKind}-rules.create`,
    params: newRule[kind as RuleKind],
    answer: createdWithFindings,

    prepare: (input: RuleInput, needs: WriteDeps) => validateQueryTexts(input, needs),

    async run(input, needs: WriteDeps, texts) {
      const { db, caller, clock } = needs;
      const { guid = newGuid(), name, enabled, comment = null } = input;
      if (await isNameTaken(db, 'rules', name, { within: { kind } })) throw duplicatedName(name);
      if (await findRule(db, kind, guid)) throw duplicatedGuid(guid);
      requireKnownTemplates(input);
      const snapshot = await withNames(db, kind, contentOf(kind, input, texts));
      const now = clock.now().epochMilliseconds;
      await reschedule(kind, [guid], needs);
      await writeVersion(db, { kind, guid, snapshot, change: 'create', comment, author: caller, now }, enabled);
      return { guid, ...texts.findings };
    },
  });
