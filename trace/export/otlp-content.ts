import { findMessageKind } from '../../core/catalog/message-kinds.ts';
import { findConversion, type ConversionName } from '../../core/catalog/conversions.ts';
import type { Protocols } from '../../protocols/protocol.ts';
import { TELEMETRY } from '../../core/catalog/telemetry.ts';
import { readMessages } from '../../protocols/convert/read-text.ts';
import { Report } from '../../core/message/report.ts';
import type { Message } from '../../core/message/message.ts';
import { decodeBase64 } from '../../core/text/base64.ts';
import { countOf } from '../../core/text/count.ts';
import { listSigns } from '../../core/text/json-signs.ts';
import { parseJson } from '../../core/text/json.ts';
import type { HeadEvent, TraceProtocol, WireEvent } from '../../core/events/events.ts';
import { splitMessages } from '../messages.ts';
import { showValue } from '../../protocols/reply-parts/content-words.ts';
import { cutTexts } from '../../protocols/reply-parts/cut-texts.ts';
import type { TracePart } from '../../protocols/reply-parts/part.ts';
import { readParts } from '../../protocols/reply-parts/parts-reader.ts';
import type { CallNode } from '../fold/tree.ts';
import { cutText, sayCut } from './cut-text.ts';
import { joinPayload } from './payload-text.ts';

/** Characters of a request, and of a reply that has no parts: backends refuse spans that are too large. */
const MOST_CHARACTERS = 20_000;

/** Arguments that are nested deeper are told as their text. */
const DEEPEST = 64;

/** What was on the wire of a call. */
type Payload = readonly (HeadEvent | WireEvent)[];

/** An attribute whose value is a text. */
type TextAttribute = readonly [name: string, text: string];

/** How the content of a call is exported. */
export interface ContentOptions {
  readonly operation: 'execute_tool' | 'invoke_agent';
  readonly protocols: Protocols;
}

/**
 * What a call asked and what came of it, as OpenTelemetry's conventions for generative AI have it: the arguments and the result of
 * a tool, the messages to and from an agent (`gen_ai.input.messages`, `gen_ai.output.messages`: JSON as texts, which backends
 * read). Long texts are cut, with how much. Empty for what was not heard.
 */
export function tellContent(
  node: CallNode,
  payload: Payload,
  { operation, protocols }: ContentOptions,
): readonly TextAttribute[] {
  const asked = readAsked(node.call.protocol, payload);
  const parts = listParts(node, payload, protocols);
  const heard = readWhole(payload, 'in');
  if (operation === 'execute_tool') {
    const result = heard === undefined ? undefined : tellResult(parts, heard);
    return [...tell(TELEMETRY.toolArguments, asked), ...tell(TELEMETRY.toolResult, result)];
  }
  const input = asked && toMessage('user', [{ type: 'text', content: asked }]);
  const output = heard === undefined ? undefined : toReply(node, parts, heard);
  return [...tell(TELEMETRY.inputMessages, input), ...tell(TELEMETRY.outputMessages, output)];
}

function tell(name: string, text: string | undefined): readonly TextAttribute[] {
  return text === undefined ? [] : [[name, text]];
}

/** What the last request among all that went out asks for: its arguments, its task or its question, else all of it. */
function readAsked(protocol: TraceProtocol, payload: Payload): string | undefined {
  const texts = splitMessages(payload, 'out').flatMap(({ wire }) => readWhole(wire, 'out') ?? []);
  const from = findConversion(protocol)?.name;
  const wants = from === undefined ? [] : texts.flatMap(text => listWants(text, from));
  const asked = wants.at(-1) ?? texts.at(-1);
  return asked === undefined ? undefined : cutText(asked, MOST_CHARACTERS);
}

function listWants(text: string, from: ConversionName): readonly string[] {
  const { messages } = readMessages(text, { from, report: new Report() });
  const requests = messages.filter(({ message }) => findMessageKind(message.kind)?.role === 'request');
  return requests.flatMap(({ message }) => wantOf(message) ?? []);
}

function wantOf({ fields }: Message): string | undefined {
  return showValue(fields.arguments ?? fields.task ?? fields.items ?? fields.query);
}

/** All that went in one direction; of bytes that are no text, how many there were. Undefined where nothing went. */
function readWhole(payload: Payload, direction: WireEvent['direction']): string | undefined {
  const joined = joinPayload(payload, direction);
  if (!joined || 'text' in joined) return joined?.text;
  return `${countOf(decodeBase64(joined.base64)?.length ?? 0, 'byte')} of no text`;
}

/** The parts of the reply without those of messages before it. */
function listParts({ call, status }: CallNode, payload: Payload, protocols: Protocols): readonly TracePart[] {
  const read = readParts(protocols.find(call.protocol), payload, status === 'open' ? 'open' : 'ended');
  const parts = flatten(cutTexts(read).parts);
  return parts.filter(({ kind, text, children }) =>
    text === undefined ? kind === 'tool' && children.length === 0 : kind !== 'exchange',
  );
}

function flatten(parts: readonly TracePart[]): readonly TracePart[] {
  return parts.flatMap(part => [part, ...flatten(part.children)]);
}

/** Of a tool only what it answers counts; how it got on the way is told where it answers nothing else. */
function tellResult(parts: readonly TracePart[], heard: string): string {
  const said = parts.filter(({ kind }) => !ON_THE_WAY.has(kind));
  const told = (said.length > 0 ? said : parts).map(textOf);
  return told.length > 0 ? told.join('\n') : cutText(heard, MOST_CHARACTERS);
}

const ON_THE_WAY: ReadonlySet<TracePart['kind']> = new Set(['progress', 'log', 'notice', 'status']);

function toReply({ status }: CallNode, parts: readonly TracePart[], heard: string): string {
  const whole = { type: 'text', content: cutText(heard, MOST_CHARACTERS) };
  const reason = status === 'ok' ? 'stop' : status === 'open' ? undefined : 'error';
  return toMessage('assistant', parts.length > 0 ? parts.map(toPart) : [whole], reason);
}

/** A message as the JSON schemas of the conventions have it, as the only one of its list. */
function toMessage(role: 'user' | 'assistant', parts: readonly object[], reason?: string): string {
  return JSON.stringify([{ role, parts, ...(reason === undefined ? {} : { finish_reason: reason }) }]);
}

/** A part as the conventions name it; of a kind that they do not have, by its own name. */
function toPart(part: TracePart): object {
  const { kind, title } = part;
  const text = textOf(part);
  switch (kind) {
    case 'tool':
      return { type: 'tool_call', name: title, arguments: readExact(text) };
    case 'output':
      return { type: 'tool_call_response', response: text };
    case 'text':
    case 'message':
    case 'chunk':
    case 'result':
    case 'refusal':
      return { type: 'text', content: text };
    default:
      return { type: kind, content: text };
  }
}

/** The value of a text of JSON; one of which a number would be rounded, or which is nested deep, stays a text. */
function readExact(text: string): unknown {
  return (isExact(text) ? parseJson(text) : undefined) ?? text;
}

function isExact(text: string): boolean {
  let depth = 0;
  let from = 0;
  for (const { sign, at, end } of listSigns(text)) {
    if (!isNumberKept(text.slice(from, at))) return false;
    from = end;
    if (sign === '{' || sign === '[') depth++;
    if (sign === '}' || sign === ']') depth--;
    if (depth > DEEPEST) return false;
  }
  return isNumberKept(text.slice(from));
}

/** False for what stands between two signs and holds a number that is another one as a double. */
function isNumberKept(between: string): boolean {
  const literal = /-?\d[\d.eE+-]*/.exec(between)?.[0];
  if (literal === undefined) return true;
  const value = Number(literal);
  return /[.eE]/.test(literal) ? Number.isFinite(value) : Number.isSafeInteger(value);
}

function textOf({ text = '', hidden = 0 }: TracePart): string {
  return hidden === 0 ? text : `${text}${sayCut(hidden)}`;
}
