import { MCP_METHOD_ROOTS, MCP_METHODS, MCP_RESULT_MEMBERS } from './names.ts';
import { findMessageKind } from '../../core/catalog/message-kinds.ts';
import { message, type Message } from '../../core/message/message.ts';
import {
  boolValue,
  findEntry,
  intValue,
  listValue,
  NULL,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../core/values/value.ts';
import { canonical } from '../content/canonical.ts';
import { asMessages, flattened } from '../content/flatten.ts';
import { readRpc } from '../rpc/frame.ts';
import { Members } from '../message/members.ts';
import { dictOf } from '../message/dicts.ts';
import { asCall, asResult, constraintsAsData } from '../message/nearest.ts';
import { ownMethod, putBack, restOf } from '../message/rest.ts';
import type { Report } from '../../core/message/report.ts';
import type { ProtocolShape, Reading, Writing } from '../message/shape.ts';
import { named } from '../tools/arguments.ts';
import { toSchemaTool } from '../tools/tool-schema.ts';
import { buildFault, buildResult, readFault, readResult } from './replies.ts';
import { buildRequest, isProgress, readRequest } from './requests.ts';

/**
 * The Model Context Protocol, in the versions with a handshake (2024-11-05 to 2025-11-25) and without one
 * (2026-07-28). What distinguishes a modern request is in `params._meta` and stays there.
 */
export const mcpShape: ProtocolShape = {
  recognises,
  read,
  nearest,
  write,
  hasPart: isProgress,
  defaults: dictOf({
    params: dictOf({ _meta: ofConnection('protocolVersion', 'clientInfo', 'clientCapabilities') }),
    result: dictOf({
      isError: boolValue(false),
      resultType: textValue('complete'),
      // A result that may not be cached, like one that says nothing about it.
      ttlMs: intValue(0),
      cacheScope: textValue('private'),
      _meta: ofConnection('serverInfo'),
    }),
  }),
};

/** What each message says about its sender since 2026-07-28, which has no handshake. */
function ofConnection(...names: readonly string[]): DictValue {
  return dictOf(Object.fromEntries(names.map(name => [`io.modelcontextprotocol/${name}`, NULL])));
}

const ROOTS: ReadonlySet<string> = new Set(MCP_METHOD_ROOTS);
const METHODS: ReadonlySet<string> = new Set(MCP_METHODS);

function recognises(value: Value): boolean {
  if (value.kind !== 'dict') return false;
  const method = findEntry(value, 'method');
  if (method) return isMethod(textIn(method) ?? '') || hasMeta(findEntry(value, 'params'));
  const result = findEntry(value, 'result') ?? bareResult(value);
  return result !== undefined && MCP_RESULT_MEMBERS.some(name => findEntry(result, name) !== undefined);
}

function isMethod(method: string): boolean {
  const root = method.split('/', 1)[0] ?? '';
  return METHODS.has(method) || (root !== method && ROOTS.has(root));
}

function hasMeta(params: Value | undefined): boolean {
  return findEntry(params, '_meta')?.kind === 'dict';
}

/** The result of `initialize` without a frame, as documentation shows it. */
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
      return readRequest(frame);
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

function nearest(given: Message, writing: Writing): Message {
  const { report } = writing;
  const { kind, fields } = given;
  switch (kind) {
    case 'call':
      return named(given, 'mcp', writing);
    case 'describe':
      report.lose('moved', '', 'MCP describes no tool alone, so the list of all tools is requested');
      return message('list', fields);
    case 'query':
      return asCall(given, 'MCP', report);
    case 'task':
      return asSampling(given, report);
    case 'result':
      return asBlocks(given, writing);
    default:
      return isProgress(given) ? given : asBlocks(asResult(given, 'MCP', report), writing);
  }
}

/** A task as the input of a model, with messages of a user and an assistant only. */
function asSampling(given: Message, report: Report): Message {
  if (!ownMethod(given, 'mcp'))
    report.lose(
      'moved',
      '',
      'MCP gives no task to a server; it is written as a request from a server to its client',
    );
  return asMessages(constraintsAsData(given, 'MCP', report), 'MCP', report);
}

function asBlocks(given: Message, { report }: Writing): Message {
  if (given.kind !== 'result') return given;
  const plain = canonical(flattened(given, 'MCP', report));
  const { declaration, tools } = plain.fields;
  const tool = declaration && !tools ? toSchemaTool(declaration) : undefined;
  if (!tool) return plain;
  report.lose('moved', 'declaration', 'MCP describes a tool in a list of tools only', declaration);
  return message('result', { ...plain.fields, declaration: undefined, tools: listValue([tool]) });
}

function write(sent: Message, writing: Writing): Value {
  const rest = restOf(sent, 'mcp');
  return putBack(build(sent, rest, writing), rest);
}

function build(sent: Message, rest: Members, writing: Writing): Value {
  if (sent.kind === 'error') return buildFault(sent, writing);
  if (findMessageKind(sent.kind)?.role === 'reply') return buildResult(sent, rest, writing);
  return buildRequest(sent, rest, writing);
}
