// Words of the application log: what its messages say, and what the benches search for.

/** Several words, in one message of some eighty, half of them with a capital letter. */
export const PHRASE = 'connection reset by peer';

/** In one message of 330, in no other field. */
export const RARE_WORD = 'timeout';

/** Followed by `N of M`, in one message of some eighty. */
export const REGEX_MESSAGE = 'delivery attempt';

export const MESSAGES = [
  'request finished, answer sent to the client as',
  'cache entry refreshed for the catalogue of items, key',
  'order accepted and handed to the warehouse under',
  'session of the customer extended by another hour, token',
  'payment confirmed by the provider, reference',
  'stock level read from the replica, snapshot',
  'queue consumer has committed its offset, partition',
  'feature flag evaluated for the account, variant',
  'mail about the shipment handed to the relay as',
  'price list loaded from the object store, version',
  'connection taken from the pool of the database, slot',
  'search index answered with hits for the term',
] as const;

export const KOREAN_MESSAGES = [
  '결제 승인 실패: 카드사 응답 없음',
  '재고 확인이 지연되고 있습니다',
  '로그인 시도가 차단되었습니다',
  '배송 조회 요청을 처리했습니다',
  '쿠폰 발급 한도를 초과했습니다',
] as const;

export const KOREAN_USERS = ['김민수', '이서연', '박지훈', '최유진', '정하은', '강도윤'] as const;
