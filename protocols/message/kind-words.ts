import type { MessageKind } from '../../core/catalog/message-kinds.ts';

/** The words for a message of a kind within a sentence. */
export const KIND_WORDS: Readonly<Record<MessageKind, string>> = {
  call: 'a call',
  list: 'a request for the list of tools',
  describe: 'a request for one tool',
  task: 'a task',
  query: 'a query',
  negotiate: 'a negotiation',
  result: 'a result',
  error: 'an error',
  chunk: 'a part of a stream',
  end: 'the end of a stream',
  value: 'a bare value',
};
