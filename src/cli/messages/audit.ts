// Texts of `vigil audit`.

import type { Messages } from './message.ts';

export const audit = {
  'verify-bad-key': {
    en: '`{given}` is neither a file with an Ed25519 public key nor such a key in base64',
    ko: 'Ed25519 공개 키 파일도, base64로 쓴 공개 키도 아닙니다: `{given}`',
  },
  'verify-bad-proof': {
    en: '{path} is not a saved answer of GET /audit-logs/proof',
    ko: 'GET /audit-logs/proof 응답을 저장한 파일이 아닙니다: {path}',
  },
  'verify-empty-export': {
    en: '{path} holds no audit entry: there is nothing to prove',
    ko: '감사 기록이 하나도 없어 증명할 것이 없습니다: {path}',
  },
  'verify-needs-proof': {
    en: 'an export can be checked without the keys folder only with --proof',
    ko: '키 폴더 없이 내보낸 파일을 검사하려면 --proof가 필요합니다',
  },
  'verify-no-key': {
    en: 'there is no signing key {file}: --keys must name the keys folder of the service, or --public-key its public key',
    ko: '서명 키 파일이 없습니다: {file}: --keys로 서비스의 키 폴더를, 또는 --public-key로 공개 키를 지정하십시오',
  },
  'verify-several-witnesses': {
    en: '{folder} holds the witnesses of several services: --witness must name the one of this export',
    ko: '{folder}에 여러 서비스의 증인 파일이 있습니다: 이 내보내기의 것을 --witness로 지정하십시오',
  },
  'witness-missing': {
    en: 'there is no audit witness {file}: --keys or VIGIL_KEYS must name the keys folder of the service',
    ko: '감사 증인 파일이 없습니다: {file}: --keys나 VIGIL_KEYS로 서비스의 키 폴더를 지정하십시오',
  },
  exported: { en: '{entries} audit entries exported.', ko: '감사 기록 {entries}건을 내보냈습니다.' },
  exporting: { en: '{entries} audit entries so far', ko: '지금까지 감사 기록 {entries}건' },
  'verify-progress': { en: '{entries} of {total} entries', ko: '{total}건 중 {entries}건' },
  'verify-proven': {
    en: 'PROVEN. Every entry is as it was written, and none is missing.',
    ko: '증명됨. 모든 기록이 쓰인 그대로이며 빠진 것이 없습니다.',
  },
  'verify-proven-up-to': {
    en: 'PROVEN up to entry {id}. Every entry up to there is as it was written, and none before it is missing.',
    ko: '기록 {id}번까지 증명됨. 그때까지의 모든 기록이 쓰인 그대로이며 그 앞에 빠진 것이 없습니다.',
  },
  'verify-failed-all': {
    en: 'NOT PROVEN. {kind}: entries {id} to {last}',
    ko: '증명되지 않음. {kind}: 기록 {id}부터 {last}까지',
  },
  'verify-failed-at': { en: 'NOT PROVEN. {kind}: entry {id}', ko: '증명되지 않음. {kind}: 기록 {id}' },
  'verify-failed-between': {
    en: 'NOT PROVEN. {kind}: one of the entries {id} to {last}',
    ko: '증명되지 않음. {kind}: 기록 {id}부터 {last}까지 중 하나',
  },
  'verify-database': { en: 'Database', ko: '데이터베이스' },
  'verify-export': { en: 'Export', ko: '내보낸 파일' },
  'verify-witness': { en: 'Witness', ko: '증인 파일' },
  'verify-none': { en: 'none', ko: '없음' },
  'verify-entries': { en: 'Entries', ko: '기록 수' },
  'verify-checkpoints': { en: 'Checkpoints', ko: '체크포인트' },
  'verify-written': { en: 'Written', ko: '기록 기간' },
  'verify-head': { en: 'Newest', ko: '마지막 기록' },
  'verify-before': { en: 'The entry before', ko: '앞 기록' },
  'verify-entry': { en: 'As it stands', ko: '현재 내용' },
  'verify-edited': { en: 'Edited', ko: '수정됨' },
  'verify-missing': { en: 'Missing', ko: '빠짐' },
  'verify-reordered': { en: 'Out of order', ko: '순서가 바뀜' },
  'verify-tail-cut': { en: 'End cut off', ko: '끝이 잘림' },
  'verify-recomputed': { en: 'Changed and recomputed', ko: '바꾼 뒤 해시를 다시 계산함' },
  'verify-bad-checkpoint': { en: 'Bad checkpoint', ko: '잘못된 체크포인트' },
  'verify-witness-damaged': { en: 'Damaged witness', ko: '손상된 증인 파일' },
  'verify-unwitnessed': { en: 'Not covered', ko: '보증 없음' },
  'verify-altered': {
    en: 'Its hash does not match its content and the entry before.',
    ko: '내용과 앞 기록으로 계산한 해시가 저장된 해시와 다릅니다.',
  },
  'verify-rewritten': {
    en: 'Its `user` or `time` differs from the stored value.',
    ko: '`user`나 `time`이 저장된 값과 다릅니다.',
  },
  'verify-unreadable': { en: 'It can no longer be read as an entry.', ko: '더 이상 기록으로 읽을 수 없습니다.' },
  'verify-other-predecessor': {
    en: 'It names another predecessor than the entry before it.',
    ko: '바로 앞 기록이 아닌 다른 기록을 앞 기록으로 가리킵니다.',
  },
  'verify-gap': { en: 'The next entry has the number {next}.', ko: '그다음에 있는 기록의 번호는 {next}입니다.' },
  'verify-begins-late': { en: 'The log begins with entry {next}.', ko: '기록이 {next}번부터 시작합니다.' },
  'verify-moved': { en: 'It now has the number {at}.', ko: '지금은 {at}번 자리에 있습니다.' },
  'verify-out-of-order': {
    en: 'It follows later entries, occurs twice, or has a number that no entry has.',
    ko: '더 늦은 기록 뒤에 있거나, 두 번 나오거나, 있을 수 없는 번호입니다.',
  },
  'verify-cut-off': {
    en: 'The log is known to have reached entry {known}.',
    ko: '기록은 {known}번까지 있었던 것으로 알려져 있습니다.',
  },
  'verify-emptied': {
    en: 'The log is known to have reached entry {known}, and is now empty.',
    ko: '{known}번까지 있었던 것으로 알려진 기록이 하나도 남아 있지 않습니다.',
  },
  'verify-cut-and-replaced': {
    en: 'The witness has another entry with this number: the log was cut off here and continued with other entries.',
    ko: '증인 파일은 같은 번호의 다른 기록을 알고 있습니다: 여기서 기록이 잘리고 다른 기록으로 이어졌습니다.',
  },
  'verify-not-as-witnessed': {
    en: 'The log is consistent, but the witness has another hash for this entry.',
    ko: '기록끼리는 맞지만 증인 파일이 아는 이 기록의 해시와 다릅니다.',
  },
  'verify-not-as-signed': {
    en: 'The log is consistent, but a signed checkpoint has another hash.',
    ko: '기록끼리는 맞지만 서명된 체크포인트의 해시와 다릅니다.',
  },
  'verify-checkpoint-signature': {
    en: 'The checkpoint of this entry is not signed with this key.',
    ko: '이 기록의 체크포인트는 이 키로 서명되지 않았습니다.',
  },
  'verify-checkpoint-hash': {
    en: 'The checkpoint of this entry was altered: it names another hash.',
    ko: '이 기록의 체크포인트가 바뀌었습니다: 다른 해시를 담고 있습니다.',
  },
  'verify-checkpoint-root': {
    en: 'The checkpoint of this entry names another Merkle root than the entries have.',
    ko: '이 기록의 체크포인트에 담긴 머클 루트가 기록들의 것과 다릅니다.',
  },
  'verify-checkpoint-frontier': {
    en: 'The unsigned part of the checkpoint of this entry was altered: later checkpoints are built on it.',
    ko: '이 기록의 체크포인트에서 서명되지 않은 부분이 바뀌었습니다: 이후 체크포인트가 이것을 바탕으로 만들어집니다.',
  },
  'verify-checkpoint-removed': {
    en: 'The checkpoint of this entry, which the witness or a renewal of the audit key refers to, was removed.',
    ko: '증인 파일이나 감사 키 갱신 기록이 아는 이 기록의 체크포인트가 지워졌습니다.',
  },
  'verify-checkpoint-replaced': {
    en: 'The checkpoint of this entry differs from the one in the witness.',
    ko: '이 기록의 체크포인트가 증인 파일이 아는 것과 다릅니다.',
  },
  'verify-checkpoint-misplaced': {
    en: 'There is a checkpoint for an entry that does not exist.',
    ko: '있지도 않았던 기록의 체크포인트가 있습니다.',
  },
  'verify-witness-unreadable': {
    en: 'Line {line} of {file} cannot be read. Nothing else contradicts the log.',
    ko: '{file}의 {line}번째 줄을 읽을 수 없습니다. 그 밖에 기록과 어긋나는 것은 없습니다.',
  },
  'verify-no-witness': {
    en: 'Nothing contradicts the log, but it has no witness: it may have been cut off, or replaced as a whole.',
    ko: '기록과 어긋나는 것은 없지만 증인 파일이 없습니다: 끝이 잘렸거나 통째로 바뀌었을 수 있습니다.',
  },
  'verify-renewal-unsigned': {
    en: 'no checkpoint of the new audit key covers the entry that renews it',
    ko: '감사 키를 갱신한 기록을 새 키로 서명한 체크포인트가 없습니다',
  },
  'verify-witness-begins-late': {
    en: 'Nothing contradicts the log, but its witness begins with entry {from}: earlier entries may have been replaced.',
    ko: '기록과 어긋나는 것은 없지만 증인 파일이 {from}번부터 시작합니다: 그 앞은 바뀌었을 수 있습니다.',
  },
  'verify-nothing-signed': {
    en: 'Nothing contradicts the log, but no signed checkpoint covers it.',
    ko: '기록과 어긋나는 것은 없지만 서명된 체크포인트가 없습니다.',
  },
  'verify-before-renewal': {
    en: 'Nothing contradicts the log, and all other entries are proven. But no evidence from before the renewal of the audit key (entry {renewals}) covers entries {gaps}: no checkpoint of the older key, and no witness. They may have been replaced, and entries after them removed.',
    ko: '기록과 어긋나는 것은 없고 다른 기록은 모두 증명되었습니다. 그러나 감사 키 갱신(기록 {renewals}번) 전의 증거 가운데 기록 {gaps}번을 보증하는 것이 없습니다: 이전 키로 서명한 체크포인트도, 증인 파일도 없습니다. 이 기록들은 바뀌었을 수 있고 그 뒤의 기록이 지워졌을 수 있습니다.',
  },
  'verify-hint-proof': {
    en: 'An export holds no checkpoints: a proof of all of them, given with --proof, holds those of the older key.',
    ko: '내보낸 파일에는 체크포인트가 없습니다: 이전 키의 체크포인트는 모두 담은 증명을 --proof로 주면 검사합니다.',
  },
  'verify-hint-filters': {
    en: 'An export can be proven only when it was taken without filters.',
    ko: '필터 없이 내보낸 파일만 증명할 수 있습니다.',
  },
  'verify-hint-order': {
    en: 'If the proof was taken after the export, take the export again: it must reach as far as the proof.',
    ko: '증명을 내보내기 뒤에 받았다면 다시 내보내십시오: 내보낸 파일이 증명이 아는 기록까지 담아야 합니다.',
  },
  'verify-remark-renewed': {
    en: 'Note: the audit key was renewed with entry {id}. The entries before it are proven by the older key {key}, which the trail names.',
    ko: '참고: 기록 {id}번에서 감사 키를 갱신했습니다. 그 앞의 기록은 기록에 적힌 이전 키로 증명됩니다: {key}',
  },
  'verify-remark-end-unwitnessed': {
    en: 'Note: the witness was lost before entry {id}. Entries written after entry {last} and removed before the renewal cannot be detected.',
    ko: '참고: 기록 {id}번 앞에서 증인 파일을 잃었습니다. {last}번 뒤에 쓰였다가 갱신 전에 지워진 기록이 있어도 알 수 없습니다.',
  },
  'verify-remark-key-unconfirmed': {
    en: 'Note: node {node} has joined with entry {id}, and its key {key} is unconfirmed: no checkpoint of an older node covers that entry yet, so those of this key prove nothing.',
    ko: '참고: 기록 {id}번에서 참여한 노드의 키가 아직 확인되지 않았습니다: {node}, 키 {key}. 이전 노드의 체크포인트가 아직 그 기록을 포함하지 않으므로 이 키의 체크포인트는 아무것도 증명하지 않습니다.',
  },
  'verify-remark-unwitnessed': {
    en: 'Note: some entries have no line of their own in the witness: {count}, the first of them {from} to {to}. They were written just before a crash, by another node, or by another program than the service.',
    ko: '참고: 증인 파일에 자기 줄이 없는 기록이 있습니다: {count}건, 처음은 {from}부터 {to}까지. 비정상 종료 직전에, 다른 노드가, 또는 서비스가 아닌 다른 프로그램이 쓴 것입니다.',
  },
  'verify-remark-unsigned': {
    en: 'Note: entries {from} to {to} follow the last signed checkpoint; only the head of the proof covers them, and it is not signed.',
    ko: '참고: 기록 {from}부터 {to}까지는 마지막 서명된 체크포인트 뒤의 것으로, 서명되지 않은 증명의 마지막 해시만이 보증합니다.',
  },
  'verify-remark-goes-on': {
    en: 'Note: the log continued to entry {to} or further after this export was taken.',
    ko: '참고: 이 파일을 내보낸 뒤에도 기록은 {to}번 이상까지 이어졌습니다.',
  },
  'verify-remark-other-texts': {
    en: 'Note: some entries show another result, category, action or message than this version writes: {count}, the first of them {from}. These texts are not part of the proof.',
    ko: '참고: 결과, 분류, 작업, 내용의 문구가 이 버전이 쓰는 것과 다른 기록이 있습니다: {count}건, 처음은 {from}. 이 문구는 증명에 들어가지 않습니다.',
  },
} as const satisfies Messages;
