import { replaceAt } from '../message/replace.ts';
import { message, type Message } from '../../core/message/message.ts';
import { findEntry, listValue, textIn } from '../../core/values/value.ts';
import { dictOf } from '../message/dicts.ts';
import type { Protocol } from '../protocol.ts';
import { JsonParts } from '../reply-parts/json-parts.ts';
import { refuseRpc } from '../rpc/refuse.ts';
import { titleOfRpc } from '../rpc/title.ts';
import { AioParts } from './reply-parts.ts';
import { AIO_MESSAGES } from './messages.ts';
import { findOpenSampling, readSampling } from './replies.ts';
import { toStep } from './requests.ts';
import { ITEM_LISTS, readItem } from './item-lists.ts';
import { asMethod, isMethod, listMethods, takes } from './methods.ts';

const SUBJECTS = new Map([
  ['tools.call', ['tool', 'name']],
  ['tools_call', ['tool', 'name']],
]);
const CALLS: ReadonlySet<string> = new Set(['tools.call', 'tools_call']);

/** AIO-MCP 1.2.1. */
export const AIO: Protocol = {
  ...AIO_MESSAGES,
  requests: {
    carriesTrace: true,
    title: value => titleOfRpc(value, SUBJECTS, CALLS),
    // A message with a method is a request even without an id: a process that answers once needs none.
    kind: value => (findEntry(value, 'method') ? 'request' : 'answer'),
  },
  replies: { openParts: earlier => new JsonParts(new AioParts(earlier)) },
  calls: {
    answers: ['call', 'list', 'describe', 'task'],
    keepsNumbers: true,
    asMethod,
    itemLists: ITEM_LISTS,
    listMethods,
    readItem,
    readAnswer: readSampling,
    takes,
    readTools: readMethods,
  },
  // Requests of a session share a trace id, which their connection gives them. A sampling that is not done goes on.
  conversations: {
    carryOn: (request, { task }) =>
      task !== undefined && request.kind === 'task' ? toStep(request, task) : request,
    readCarried: reply => ({ task: findOpenSampling(reply)?.id }),
    readAsked: reply => findOpenSampling(reply)?.asks,
  },
  spans: { titlesAreTools: true },
  refuse: refuseRpc,
  replay: {
    isLineDelimited: true,
    renew: request => replaceAt(request, ['trace_id'], undefined),
    answersInResult: true,
  },
};

/**
 * Reads tools from the reply to `help`, which lists an agent's methods by name alone or with their arguments. The methods
 * of the document are no tools.
 */
function readMethods(request: Message, read: Message): Message {
  const methods = findEntry(read.fields.data, 'methods');
  if ((request.kind !== 'list' && request.kind !== 'describe') || methods?.kind !== 'list') return read;
  const named = methods.items.map(each => (each.kind === 'text' ? dictOf({ name: each }) : each));
  const tools = named.filter(each => !isMethod(textIn(findEntry(each, 'name')) ?? ''));
  return message('result', { ...read.fields, data: undefined, tools: listValue(tools) });
}
