import { nameAiclSession, readAiclSession } from './session.ts';
import { findAiclError } from '../../core/catalog/aicl.ts';
import { protocolRow } from '../../core/catalog/protocols.ts';
import { message, type Message, type Outcome } from '../../core/message/message.ts';
import { quote } from '../../core/text/quote.ts';
import { findEntry, textIn, type Value } from '../../core/values/value.ts';
import { escapeText } from '../../language/aicl/escapes.ts';
import { AiclReplyFold, readAiclDelivery, type AiclReply } from '../../language/aicl/replies/reply.ts';
import { readAiclPieces } from '../../language/values/aicl-reader.ts';
import { findMeaning } from '../errors/error-code.ts';
import { carrySession, lastText } from '../message/carry-session.ts';
import type { HttpReply, Protocol, RefusedRequest, ReplyJudge } from '../protocol.ts';
import { AiclParts } from './reply-parts.ts';
import { AICL_MESSAGES } from './messages.ts';

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
  replies: { openJudge, openParts: () => new AiclParts() },
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
    readCarried: reply => ({
      session: lastText(
        readAiclPieces(reply).pieces.map(({ value }) => value),
        'session_id',
      ),
    }),
  },
  advise: kind =>
    kind === 'json' || kind === 'rpc'
      ? "this address speaks JSON; put the address that takes AICL messages into the agent's url"
      : 'check that an AICL agent runs at this address',
};

function sessionOf(value: Value | undefined): string | undefined {
  return textIn(findEntry(value, 'session_id')) || undefined;
}

function openJudge(): ReplyJudge {
  const fold = new AiclReplyFold();
  return {
    push: text => void fold.push(text),
    readsPieces: true,
    isOver: () => false,
    end: () => ({ outcome: toOutcome(fold.end()) }),
  };
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

/**
 * The outcome of an AICL reply: an `error` message is a failed call, with its reason and detail; a reply that
 * has only messages of unknown types is an error as well.
 */
export function toOutcome({ error, unknownType }: AiclReply): Outcome {
  if (!error) return unknownType === undefined ? { kind: 'result' } : describeUnknown(unknownType);
  const { code, reason, detail } = error;
  const stated = [reason, detail].filter(part => part !== undefined && part !== '').join(': ');
  const summary = findAiclError(Number(code))?.summary;
  return {
    kind: 'error',
    protocol: 'aicl',
    code,
    meaning: findMeaning(protocolRow('aicl').errors, code),
    text: stated || summary || 'The agent answered with an error and did not say why; look at its reply',
  };
}

function describeUnknown(type: string): Outcome {
  const text = `The agent answered with a message of the type ${quote(type)}, which AICL does not have; have it answer with a 'result' or an 'error'`;
  return { kind: 'error', protocol: 'aicl', code: 'UNKNOWN_TYPE', meaning: undefined, text };
}
