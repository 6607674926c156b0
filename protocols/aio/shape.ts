import { findMessageKind } from '../../core/catalog/message-kinds.ts';
import type { Message } from '../../core/message/message.ts';
import { findEntry, textIn, type Value } from '../../core/values/value.ts';
import { buildFault, buildResult, readFault, readOutput, readResult } from './replies.ts';
import { buildRequest, namesAgent, readRequest } from './requests.ts';
import type { Leftovers } from '../message/envelope.ts';
import { readRpc, writeWithRest } from '../rpc/frame.ts';
import type { ProtocolShape, Reading, Writing } from '../message/shape.ts';

/**
 * AIO-MCP 1.2.1: JSON-RPC 2.0 whose methods name an agent and whose messages name a trace. Its agents answer under
 * `result`, `output` or `outputs`. The envelope is the member `parley` at the top.
 */
export const aioShape: ProtocolShape = { recognises, read, write };

function recognises(value: Value): boolean {
  if (value.kind !== 'dict' || isTraceGraph(value)) return false;
  const method = textIn(findEntry(value, 'method'));
  if (method !== undefined && namesAgent(method)) return true;
  const isMessage = readRpc(value) !== undefined || readOutput(value) !== undefined;
  if (findEntry(value, 'trace_id')) return isMessage;
  return method === undefined && readOutput(value) !== undefined && findEntry(value, 'jsonrpc') !== undefined;
}

/** A trace that was written down is no message. */
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
      return readRequest(frame, reading);
    case 'result':
      return readResult(frame, reading);
    case 'error':
      return readFault(frame, reading);
    case undefined:
      return undefined;
  }
}

function write(message: Message, writing: Writing): Value {
  return writeWithRest(message, 'aio', writing, { build, read });
}

function build(message: Message, open: Leftovers, writing: Writing): Value {
  if (message.kind === 'error') return buildFault(open, writing);
  if (findMessageKind(message.kind)?.role === 'reply') return buildResult(open, writing);
  return buildRequest(message, open, writing);
}
