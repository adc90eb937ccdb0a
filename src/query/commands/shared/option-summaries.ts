// What options mean that several commands have with the same meaning.

export const OPTION_SUMMARIES = {
  span: { en: 'Width of a bucket.', ko: '구간의 폭입니다.' },
  tab: { en: 'Separates values by tabs.', ko: '값을 탭으로 나눕니다.' },
  timeout: { en: 'Time until the request is given up.', ko: '요청을 포기할 때까지의 시간입니다.' },
  limit: { en: 'Largest number of rows.', ko: '행의 최대 수입니다.' },
  overlay: { en: 'Adds the fields to the row instead of replacing it.', ko: '행을 바꾸지 않고 필드를 더합니다.' },
  field: { en: 'Field that is read.', ko: '읽을 필드입니다.' },
  key: { en: 'Field that is the key.', ko: '키가 되는 필드입니다.' },
  fill: { en: 'Value of cells without rows.', ko: '행이 없는 칸의 값입니다.' },
  parallel: { en: 'Accepted and without effect.', ko: '받지만 효과는 없습니다.' },
  offset: { en: 'Number of rows that are dropped first.', ko: '먼저 버릴 행의 수입니다.' },
  duration: { en: 'Time range back from now.', ko: '지금부터 거슬러 올라가는 시간 범위입니다.' },
  from: { en: 'Beginning of the time range, included.', ko: '시간 범위의 시작이며 포함됩니다.' },
  to: { en: 'End of the time range, excluded.', ko: '시간 범위의 끝이며 포함되지 않습니다.' },
  encoding: { en: 'Encoding of the file.', ko: '파일의 인코딩입니다.' },
} as const;
