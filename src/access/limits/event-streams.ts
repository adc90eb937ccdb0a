// Open event streams per account. A stream holds a connection for as long as its client likes.

import { RequestSlots } from './request-slots.ts';

export class EventStreams extends RequestSlots {}
