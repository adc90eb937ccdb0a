// Texts of forms.

import type { Labels } from './en.ts';

export const formEn = {
  required: 'Enter a value.',
  secretOnce: 'Stored sealed, and never shown again.',
  secretKept: 'The stored value is never shown. Leave this empty to keep it.',
  secretStored: 'Stored',
  addText: 'Type and press Enter',
  takeOut: (text: string) => `Take out ${text}`,
  chosen: (count: number) => `${count} chosen`,
  seek: (label: string) => `Find: ${label}`,
  noOptions: 'There is nothing to choose from.',
  furtherOptions: (count: number) => `${count} further ones: type to find them.`,
  unsavedTitle: 'Discard what is not saved?',
  unsavedText: 'What you have entered here is not saved yet.',
  discard: 'Discard',
  keepEditing: 'Keep editing',
};

export const formKo: Labels['form'] = {
  required: '값을 입력하십시오.',
  secretOnce: '암호화하여 보관하며 다시 표시하지 않습니다.',
  secretKept: '보관된 값은 표시하지 않습니다. 그대로 두려면 비워 두십시오.',
  secretStored: '보관됨',
  addText: '입력하고 Enter를 누르십시오',
  takeOut: (text) => `${text} 빼기`,
  chosen: (count) => `${count}개 선택`,
  seek: (label) => `찾기: ${label}`,
  noOptions: '선택할 항목이 없습니다.',
  furtherOptions: (count) => `${count}개 더 있습니다. 입력하여 찾으십시오.`,
  unsavedTitle: '저장하지 않은 내용을 버리시겠습니까?',
  unsavedText: '여기에 입력한 내용이 아직 저장되지 않았습니다.',
  discard: '버리기',
  keepEditing: '계속 편집',
};
