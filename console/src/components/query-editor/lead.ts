// A text that continues a pipeline: both as one text, as the service joins them.

const JOINT = ' | ';

export const behindLead = (text: string, lead: string | undefined): string =>
  lead === undefined ? text : lead + JOINT + text;

/** Places in the joined text are so much larger than those in the text. */
export const leadLength = (lead: string | undefined): number => (lead === undefined ? 0 : lead.length + JOINT.length);
