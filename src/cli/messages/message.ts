// The one shape of a text for people: both languages side by side, with holes in braces.

export interface Message {
  readonly en: string;
  readonly ko: string;
}

export type Messages = Readonly<Record<string, Message>>;
