import { nameAiclSession, readAiclSession, writeAiclAnswer } from './session.ts';
import { message, type Message } from '../../core/message/message.ts';
import { findEntry, textIn, type Value } from '../../core/values/value.ts';
import { escapeText } from '../../language/aicl/escapes.ts';
import { readAiclDelivery } from '../../language/aicl/replies/reply.ts';
import { carrySession } from '../message/carry-session.ts';
import type { HttpReply, Protocol, RefusedRequest } from '../protocol.ts';
import { AiclBody } from './reply-body.ts';
import { AiclParts } from './reply-parts.ts';
import { AICL_MESSAGES } from './messages.ts';
import { AICL_NEGOTIATION } from './negotiation.ts';

/** The fields with the subject of a message; the first one that it has is used. */
const SUBJECTS = ['tool', 'query', 'task', 'reason'];

const ANSWERS: ReadonlySet<string> = new Set(['result', 'error']);

/** LightAICL 1.0. */
export const AICL: Protocol = {
  ...AICL_MESSAGES,
  requests: {
    title(value) {
      for (const key of SUBJECTS) {
        const text = textIn(findEntry(value, key));
        if (text !== undefined && text !== '') return text;
      }
      return textIn(findEntry(value, 'msg_type'));
    },
    kind: value => (ANSWERS.has(textIn(findEntry(value, 'msg_type')) ?? '') ? 'answer' : 'request'),
    session: (_headers, value) => sessionOf(value),
  },
  replies: {
    openBody: (reading, keeps) => new AiclBody(reading, keeps),
    openParts: () => new AiclParts(),
    // Reading of LightAICL, section 1.3.
    isPart(reply) {
      const isFinal = findEntry(reply, 'is_final');
      return isFinal?.kind === 'bool' && !isFinal.bool;
    },
  },
  calls: { readTools: readToolData },
  refuse,
  conversations: {
    carryOn: carrySession,
    readSession: readAiclSession,
    nameSession: nameAiclSession,
    readAnswered(text) {
      const { messageType, session } = readAiclDelivery(text);
      return ANSWERS.has(messageType) ? session : undefined;
    },
    writeAnswer: writeAiclAnswer,
  },
  negotiation: AICL_NEGOTIATION,
  advise: kind =>
    kind === 'json' || kind === 'rpc'
      ? "this address speaks JSON; put the address that takes AICL messages into the agent's url"
      : 'check that an AICL agent runs at this address',
};

function sessionOf(value: Value | undefined): string | undefined {
  return textIn(findEntry(value, 'session_id')) || undefined;
}

function refuse({ session }: RefusedRequest, code: number | undefined, why: string): HttpReply {
  const fields = [
    ['protocol', '[s:LightAICL]'],
    ['session_id', `[s:${escapeText(session ?? 'none', 'wire')}]`],
    ['msg_type', '[s:error]'],
    ['code', `[i:${code ?? 5005}]`],
    ['reason', '[s:RECURSION_GUARD]'],
    ['detail', `[s:${escapeText(why, 'wire')}]`],
  ];
  return {
    line: '200 OK',
    contentType: 'text/plain; charset=utf-8',
    body: `[d:${fields.map(([key, value]) => `[s:${key}]:${value}`).join(',')}]`,
  };
}

/** Reads tools from the data of a reply, in MCP's form of a tool, because AICL has no message for tools. */
function readToolData(request: Message, read: Message): Message {
  const { data } = read.fields;
  if (read.kind !== 'result' || !data) return read;
  const isTool = (value: Value): boolean => nameOf(value) !== '';
  if (request.kind === 'describe' && data.kind === 'dict' && nameOf(data) === textIn(request.fields.tool))
    return message('result', { ...read.fields, data: undefined, declaration: data });
  const isAsked = request.kind === 'list' || request.kind === 'describe';
  if (!isAsked || data.kind !== 'list' || !data.items.every(isTool)) return read;
  return message('result', { ...read.fields, data: undefined, tools: data });
}

function nameOf(tool: Value): string {
  return textIn(findEntry(tool, 'name')) ?? textIn(tool) ?? '';
}
