// The protocols that existing senders of logs speak here.

export const SENDER_NAMES = ['otlp', 'elasticsearch', 'splunk', 'loki'] as const;
export type SenderName = (typeof SENDER_NAMES)[number];
