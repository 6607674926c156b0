import { MCP_METHOD_ROOTS, MCP_METHODS, MCP_RESULT_MEMBERS } from './names.ts';
import { findMessageKind } from '../../core/catalog/message-kinds.ts';
import type { Message } from '../../core/message/message.ts';
import { findEntry, textIn, type Value } from '../../core/values/value.ts';
import { ENVELOPE, type Leftovers } from '../message/envelope.ts';
import { buildFault, buildResult, readFault, readResult } from './replies.ts';
import { buildRequest, readRequest } from './requests.ts';
import { Members } from '../message/members.ts';
import { readRpc, writeWithRest } from '../rpc/frame.ts';
import type { ProtocolShape, Reading, Writing } from '../message/shape.ts';

/**
 * The Model Context Protocol, in the versions with a handshake (2024-11-05 to 2025-11-25) and without one (2026-07-28).
 * What makes a request modern stands in `params._meta` and stays there. The envelope is `_meta.parley`.
 */
export const mcpShape: ProtocolShape = { recognises, read, write };

const ROOTS: ReadonlySet<string> = new Set([...MCP_METHOD_ROOTS, ENVELOPE]);
const METHODS: ReadonlySet<string> = new Set(MCP_METHODS);

function recognises(value: Value): boolean {
  if (value.kind !== 'dict') return false;
  const method = findEntry(value, 'method');
  if (method) return isMethod(textIn(method) ?? '') || hasMeta(findEntry(value, 'params'));
  const result = findEntry(value, 'result') ?? bareResult(value);
  if (result) return MCP_RESULT_MEMBERS.some(name => findEntry(result, name) !== undefined);
  return findEntry(findEntry(findEntry(value, 'error'), 'data'), ENVELOPE) !== undefined;
}

function isMethod(method: string): boolean {
  const root = method.split('/', 1)[0] ?? '';
  return METHODS.has(method) || (root !== method && ROOTS.has(root));
}

function hasMeta(params: Value | undefined): boolean {
  return findEntry(params, '_meta')?.kind === 'dict';
}

/** The result of `initialize` without a frame, as documents show it. */
function bareResult(value: Value): Value | undefined {
  const isBare = ['protocolVersion', 'capabilities', 'serverInfo'].every(key => findEntry(value, key));
  return isBare && readRpc(value) === undefined ? value : undefined;
}

function read(value: Value, reading: Reading): Message | undefined {
  const found = readUnnumbered(value, reading);
  return found && reading.number(found);
}

function readUnnumbered(value: Value, reading: Reading): Message | undefined {
  const frame = readRpc(value);
  switch (frame?.kind) {
    case 'request':
      return readRequest(frame, reading);
    case 'result':
      return readResult(frame, reading);
    case 'error':
      return readFault(frame, reading);
    case undefined: {
      const body = bareResult(value);
      const bare = { kind: 'result', method: '', id: undefined, members: new Members(undefined) } as const;
      return body && readResult({ ...bare, body }, reading);
    }
  }
}

function write(message: Message, writing: Writing): Value {
  return writeWithRest(message, 'mcp', writing, { build, read });
}

function build(message: Message, open: Leftovers, writing: Writing): Value {
  if (message.kind === 'error') return buildFault(open, writing);
  if (findMessageKind(message.kind)?.role === 'reply') return buildResult(open, writing);
  return buildRequest(message, open, writing);
}
