import { dictOf } from '../message/dicts.ts';
import { METHOD } from '../message/rest.ts';
import { protocolRow } from '../../core/catalog/protocols.ts';
import { message, type Message } from '../../core/message/message.ts';
import { findEntry, textIn } from '../../core/values/value.ts';
import type { Protocol } from '../protocol.ts';
import { JsonParts } from '../reply-parts/json-parts.ts';
import { RpcParts } from '../reply-parts/rpc-parts.ts';
import { kindOfRpc } from '../rpc/kind.ts';
import { refuseRpc } from '../rpc/refuse.ts';
import { titleOfRpc } from '../rpc/title.ts';
import { jsonRpcShape } from './shape.ts';

const SUBJECTS = new Map([['aip.tool.invoke', ['tool']]]);
const CALLS: ReadonlySet<string> = new Set(['aip.tool.invoke']);

/** The JSON-RPC endpoint of AIP, the twin of AICF-RPC; also any JSON-RPC that is no other protocol's. */
export const JSON_RPC: Protocol = {
  facts: protocolRow('json-rpc'),
  shape: jsonRpcShape,
  requests: {
    order: 6,
    isRpc: true,
    isPlain: value => textIn(findEntry(value, 'method'))?.startsWith('aip.') !== true,
    title: value => titleOfRpc(value, SUBJECTS, CALLS),
    kind: kindOfRpc,
  },
  replies: { openParts: earlier => new JsonParts(new RpcParts(earlier)) },
  calls: { answers: ['call', 'list', 'describe'], keepsNumbers: true, asMethod },
  errors: { column: 'aip', refuse: refuseRpc },
  replay: { answersInResult: true },
};

/** AIP's own methods are called by their names: `CALL|aip.context.get` is no call of a tool. */
function asMethod({ kind, fields }: Message): Message | undefined {
  if (kind !== 'call' || textIn(fields.tool)?.startsWith('aip.') !== true) return undefined;
  return message('call', fields, dictOf({ 'json-rpc': dictOf({ [METHOD]: fields.tool }) }));
}
