import { protocolRow } from '../../core/catalog/protocols.ts';
import { replaceAt } from '../../core/values/replace.ts';
import { message, type Message } from '../../core/message/message.ts';
import { dictValue, findEntry, listValue } from '../../core/values/value.ts';
import type { Protocol } from '../protocol.ts';
import { JsonParts } from '../reply-parts/json-parts.ts';
import { refuseRpc } from '../rpc/refuse.ts';
import { titleOfRpc } from '../rpc/title.ts';
import { AioParts } from './reply-parts.ts';
import { aioShape } from './shape.ts';

const SUBJECTS = new Map([
  ['tools.call', ['tool', 'name']],
  ['tools_call', ['tool', 'name']],
]);
const CALLS: ReadonlySet<string> = new Set(['tools.call', 'tools_call']);

/** AIO-MCP 1.2.1. */
export const AIO: Protocol = {
  facts: protocolRow('aio'),
  shape: aioShape,
  requests: {
    order: 1,
    isRpc: true,
    carriesTrace: true,
    title: value => titleOfRpc(value, SUBJECTS, CALLS),
    // A request to a process that answers once is known by the process and need have no id.
    kind: value => (findEntry(value, 'method') ? 'request' : 'answer'),
  },
  replies: { openParts: earlier => new JsonParts(new AioParts(earlier)) },
  calls: { answers: ['call', 'list', 'describe', 'task'], keepsNumbers: true, readTools: listMethods },
  errors: { column: 'jsonRpc', namesMissingMethod: 'tool', refuse: refuseRpc },
  replay: {
    saysLines: true,
    renew: request => replaceAt(request, ['trace_id'], undefined),
    answersInResult: true,
  },
};

/** The methods of an AIO agent are its tools: `help` lists them, by name alone or with what they take. */
function listMethods(asked: Message, read: Message): Message {
  const methods = findEntry(read.fields.data, 'methods');
  if ((asked.kind !== 'list' && asked.kind !== 'describe') || methods?.kind !== 'list') return read;
  const tools = methods.items.map(each =>
    each.kind === 'text' ? dictValue([{ key: 'name', value: each }]) : each,
  );
  return message('result', { ...read.fields, data: undefined, tools: listValue(tools) });
}
