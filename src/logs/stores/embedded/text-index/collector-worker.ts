// A thread that collects the words of row groups; each message is answered, so that texts do not pile up.

import { answerOrders } from '#runtime/answer-orders.ts';
import type { GroupFilter } from './group-filter.ts';
import { type CollectorMessage, LocalCollector } from './word-collector.ts';

const collector = new LocalCollector();

answerOrders<CollectorMessage, GroupFilter | undefined>({
  async answer(message) {
    if ('ended' in message) return await collector.filter(message.ended);
    await collector.add(message.texts);
    return undefined;
  },
});
