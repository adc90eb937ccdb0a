// The character set of a file that a command reads.

import type { Flags, Invocation } from '#cli/kit/command.ts';
import { isCharset } from '#kernel/text/charset.ts';
import { UsageError } from '#kernel/usage-error.ts';

export const charsetFlag: Flags = {
  charset: {
    hint: 'NAME',
    about: {
      en: 'character set of the file, for example cp949; utf-8 by default, and utf-16 if the file begins with its byte order mark',
      ko: '파일의 문자 집합(예: cp949), 기본값은 utf-8이며 바이트 순서 표시로 시작하면 utf-16',
    },
  },
};

/** Undefined without the flag. */
export function charsetOf({ flags: { charset } }: Pick<Invocation, 'flags'>): string | undefined {
  if (charset !== undefined && !isCharset(charset)) throw new UsageError('unknown-charset', { charset });
  return charset;
}
