import { findMessageKind } from '../../core/catalog/message-kinds.ts';
import type { Message } from '../../core/message/message.ts';
import { findEntry, textIn, type Value } from '../../core/values/value.ts';
import { canonical } from '../content/canonical.ts';
import { flattened } from '../content/flatten.ts';
import { readRpc } from '../rpc/frame.ts';
import type { Members } from '../message/members.ts';
import { asResult, asTask, constraintsAsData } from '../message/nearest.ts';
import { putBack, restOf } from '../message/rest.ts';
import type { ProtocolShape, Reading, Writing } from '../message/shape.ts';
import { named } from '../tools/arguments.ts';
import { buildFault, buildResult, readFault, readOutput, readResult } from './replies.ts';
import { buildRequest, namesAgent, readRequest } from './requests.ts';

/**
 * AIO-MCP 1.2.1: JSON-RPC 2.0 with an agent in each method and a trace in each message. Its agents answer
 * under `result`, `output` or `outputs`.
 */
export const aioShape: ProtocolShape = { recognises, read, nearest, write };

function recognises(value: Value): boolean {
  if (value.kind !== 'dict' || isTraceGraph(value)) return false;
  const method = textIn(findEntry(value, 'method'));
  if (method !== undefined && namesAgent(method)) return true;
  const isMessage = readRpc(value) !== undefined || readOutput(value) !== undefined;
  if (findEntry(value, 'trace_id')) return isMessage;
  return method === undefined && readOutput(value) !== undefined && findEntry(value, 'jsonrpc') !== undefined;
}

/** True for an exported trace, which is no message. */
function isTraceGraph(value: Value): boolean {
  return findEntry(value, 'calls')?.kind === 'list' && findEntry(value, 'method') === undefined;
}

function read(value: Value, reading: Reading): Message | undefined {
  const found = isTraceGraph(value) ? undefined : readUnnumbered(value, reading);
  return found && reading.number(found);
}

function readUnnumbered(value: Value, reading: Reading): Message | undefined {
  const frame = readRpc(value) ?? readOutput(value);
  switch (frame?.kind) {
    case 'request':
      return readRequest(frame);
    case 'result':
      return readResult(frame);
    case 'error':
      return readFault(frame, reading);
    case undefined:
      return undefined;
  }
}

function nearest(given: Message, writing: Writing): Message {
  const { report } = writing;
  switch (given.kind) {
    case 'call':
      return named(given, 'aio', writing);
    case 'task':
    case 'query':
    case 'negotiate':
      return flattened(constraintsAsData(asTask(given, 'AIO', report), 'AIO', report), 'AIO', report);
    default:
      return canonical(flattened(asResult(given, 'AIO', report), 'AIO', report));
  }
}

function write(sent: Message, writing: Writing): Value {
  const rest = restOf(sent, 'aio');
  return putBack(build(sent, rest, writing), rest);
}

function build(sent: Message, rest: Members, writing: Writing): Value {
  if (sent.kind === 'error') return buildFault(sent, rest, writing);
  if (findMessageKind(sent.kind)?.role === 'reply') return buildResult(sent, rest, writing);
  return buildRequest(sent, rest, writing);
}
