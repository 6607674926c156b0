import { dictOf } from '../message/dicts.ts';
import { METHOD } from '../message/rest.ts';
import { message, type Message } from '../../core/message/message.ts';
import { textIn } from '../../core/values/value.ts';
import type { Protocol } from '../protocol.ts';
import type { MethodCall } from '../call-rules.ts';
import { JsonParts } from '../reply-parts/json-parts.ts';
import { RpcParts } from '../reply-parts/rpc-parts.ts';
import { readFailure } from '../errors/failure.ts';
import { kindOfRpc } from '../rpc/kind.ts';
import { refuseRpc } from '../rpc/refuse.ts';
import { titleOfRpc } from '../rpc/title.ts';
import { JSON_RPC_MESSAGES } from './messages.ts';

const SUBJECTS = new Map([['aip.tool.invoke', ['tool']]]);
const CALLS: ReadonlySet<string> = new Set(['aip.tool.invoke']);

/** The JSON-RPC endpoint of AIP, the twin of AICF-RPC; also any JSON-RPC that belongs to no other protocol. */
export const JSON_RPC: Protocol = {
  ...JSON_RPC_MESSAGES,
  requests: {
    endpoint: /\/aip\/v1\/rpc\/?$/,
    title: value => titleOfRpc(value, SUBJECTS, CALLS),
    kind: kindOfRpc,
  },
  replies: {
    openParts: earlier => new JsonParts(new RpcParts(earlier, result => readFailure(result) !== undefined)),
  },
  calls: { answers: ['call', 'list', 'describe'], keepsNumbers: true, asMethod },
  spans: { titlesAreTools: true },
  refuse: refuseRpc,
  replay: { answersInResult: true },
};

/** A tool name that begins with `aip.` is a method of AIP: `CALL|aip.context.get` calls no tool. */
function asMethod({ kind, fields }: Message): MethodCall | undefined {
  if (kind !== 'call' || textIn(fields.tool)?.startsWith('aip.') !== true) return undefined;
  const call = message('call', fields, dictOf({ 'json-rpc': dictOf({ [METHOD]: fields.tool }) }));
  return { call, warnings: [], isSettled: true };
}
