import { message as neutralMessage } from '../../core/message/message.ts';
import { dictValue, findEntry, textIn, textValue, type Value } from '../../core/values/value.ts';
import { refuseResponse } from '../event-stream/refuse.ts';
import { titleOfInput } from '../event-stream/title.ts';
import { putText } from '../message/put-text.ts';
import { RESPONSES_PARAMETERS } from './parameters.ts';
import type { Protocol } from '../protocol.ts';
import { pathOf } from '../recognise/head.ts';
import { ResponsesFold } from './fold.ts';
import { RESPONSES_DISCOVERY } from './discovery.ts';
import { RESPONSES_MESSAGES } from './messages.ts';

/** The path to poll or cancel a background response by its id. */
const RESPONSE_PATH = /\/responses\/(resp_[\w-]{1,64})(\/cancel)?$/;

/** Statuses of responses that a conversation can continue; failed or cancelled ones are no part of it. */
const FOLLOWED: ReadonlySet<string | undefined> = new Set(['completed', 'incomplete', undefined]);

/** OpenAI's Responses API. */
export const RESPONSES: Protocol = {
  ...RESPONSES_MESSAGES,
  discovery: RESPONSES_DISCOVERY,
  requests: {
    endpoint: /\/responses\/?$/,
    byHead({ method, path = '' }) {
      const [, response, action] = RESPONSE_PATH.exec(pathOf(path)) ?? [];
      if (response === undefined || method !== (action === undefined ? 'GET' : 'POST')) return undefined;
      return { title: `${action ? 'cancel ' : ''}response ${response}` };
    },
    title: titleOfInput,
    session(_headers, value) {
      const conversation = findEntry(value, 'conversation');
      return (textIn(conversation) ?? textIn(findEntry(conversation, 'id'))) || undefined;
    },
  },
  replies: { openFold: (keeps, listener) => new ResponsesFold(keeps, listener) },
  // Its agents take free text; their tools are internal.
  calls: { answers: ['task', 'call', 'query'], parameters: RESPONSES_PARAMETERS },
  refuse: refuseResponse,
  conversations: {
    carryOn({ kind, fields }, { response }) {
      const { constraints, rest } = fields;
      if (response === undefined) return neutralMessage(kind, fields);
      // In a task it is a parameter, where others are parameters too.
      if (kind === 'task' && (constraints === undefined || constraints.kind === 'dict')) {
        const others = (constraints?.entries ?? []).filter(({ key }) => key !== 'response_id');
        const named = dictValue([...others, { key: 'response_id', value: textValue(response) }]);
        return neutralMessage(kind, { ...fields, constraints: named });
      }
      return neutralMessage(kind, fields, putText(rest, ['responses', 'previous_response_id'], response));
    },
    readCarried: (value, before) => ({ response: findResponse(value) ?? before.response }),
  },
  // Later texts only grant permissions and request nothing new.
  replay: { pick: texts => (texts.length > 0 ? 0 : undefined) },
};

/** The id of the response in a message, if a conversation can continue it. */
function findResponse(value: Value): string | undefined {
  const response = findEntry(value, 'response') ?? value;
  const isFollowed = FOLLOWED.has(textIn(findEntry(response, 'status')));
  return isFollowed && textIn(findEntry(response, 'object')) === 'response'
    ? textIn(findEntry(response, 'id'))
    : undefined;
}
