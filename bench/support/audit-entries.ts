// Audit entries as an office of two thousand people would leave them, the same at every run. Entry N can be made
// without the ones before it, so a query can ask for what it knows to be there.

import type { Draft } from '#audit/entry.ts';
import { type Chance, chance } from './numbers.ts';

const USERS = 2000;
const COMPANIES = 40;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

const SURNAMES = ['김', '이', '박', '최', '정', '강', '조', '윤', '장', '임', '한', '오', '서', '신', '권'] as const;
export const GIVEN_NAMES = [
  ...(['민수', '서연', '지훈', '예은', '도현', '하준', '수빈', '지우', '현우', '유진'] as const),
  ...(['채원', '준서', '시우', '다은', '건우', '은지', '태양', '보람', '승민', '가영'] as const),
  ...(['동혁', '나래', '윤호', '미경', '상철', '영희', '경수', '혜진', '재석', '소라'] as const),
  ...(['진아', '무성', '찬호', '여름', '남길', '세라', '기태', '로운', '효주', '범준'] as const),
] as const;
const DEPARTMENTS = ['보안관제팀', '인프라운영팀', '침해대응센터', 'platform', 'audit office', '재무본부'] as const;
const CHORES = ['야간 점검', '정기 변경', 'quarterly review', '권한 회수', 'onboarding', '계정 정리'] as const;
const ACTIONS = [
  ...(['auth.login', 'auth.login', 'auth.login', 'auth.logout', 'auth.refuse'] as const),
  ...(['users.update', 'users.update', 'users.create', 'users.create-api-key', 'users.remove'] as const),
  ...([
    'user-groups.update',
    'user-groups.create',
    'companies.update',
    'companies.create',
    'audit-logs.export',
  ] as const),
] as const;

/** A keyword that only this entry has: ten letters inside a word of its description. */
export const codeOf = (id: number): string => chance(id * 2 + 1).text(10, LETTERS);

/** The thing this entry is about; nothing else has this guid. */
export const thingOf = (id: number): string => guid(chance(id * 2 + 0x5bd1e995));

export function draftOf(id: number): Draft {
  const pick = chance(id);
  const user = userOf(pick.below(USERS));
  const action = pick.oneOf(ACTIONS);
  const dot = action.indexOf('.');
  const isRefused = action === 'auth.refuse' || pick.below(50) === 0;
  return {
    user_guid: user.guid,
    user_name: user.login,
    company_guid: user.company,
    remote_ip: `10.${pick.below(4)}.${pick.below(256)}.${pick.below(256)}`,
    module: action.slice(0, dot),
    method: action.slice(dot + 1),
    params: {
      guid: thingOf(id),
      name: userOf(pick.below(USERS)).name,
      dept: pick.oneOf(DEPARTMENTS),
      description: `${pick.oneOf(CHORES)}: 변경 요청 CHG${codeOf(id)}호 승인`,
    },
    msg_params: { login: user.login, count: pick.below(100), request_id: `${pick.text(8, '0123456789abcdef')}-${id}` },
    ...(isRefused ? { error: 'no-permission' } : {}),
  };
}

interface User {
  readonly guid: string;
  readonly login: string;
  readonly name: string;
  readonly company: string;
}

function userOf(number: number): User {
  const pick = chance(0x9e3779b9 + number);
  const name = pick.oneOf(SURNAMES) + pick.oneOf(GIVEN_NAMES);
  const login = `${pick.text(3, LETTERS.slice(0, 26))}.${pick.text(6, LETTERS.slice(0, 26))}${number}`;
  return { guid: guid(pick), login, name, company: guid(chance(0x85ebca6b + pick.below(COMPANIES))) };
}

function guid(pick: Chance): string {
  return [8, 4, 4, 4, 12].map((length) => pick.text(length, '0123456789abcdef')).join('-');
}
