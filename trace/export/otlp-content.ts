import { findMessageKind } from '../../core/catalog/message-kinds.ts';
import type { Protocols } from '../../protocols/protocol.ts';
import { TELEMETRY } from '../../core/catalog/trace-names.ts';
import { readMessages } from '../../protocols/convert/read-text.ts';
import { Report } from '../../core/message/report.ts';
import type { Message } from '../../core/message/message.ts';
import { decodeBase64 } from '../../core/text/base64.ts';
import { countOf } from '../../core/text/count.ts';
import { listDelimiters, parseJson } from '../../core/text/json.ts';
import type { HeadEvent, TraceProtocol, WireEvent } from '../../core/events/events.ts';
import { splitMessages } from '../messages.ts';
import { showValue } from '../../language/values/json-printer.ts';
import { cutTexts, type TracePart, type ViewLimits } from '../../protocols/reply-parts/part.ts';
import { readParts } from '../../protocols/reply-parts/parts-reader.ts';
import type { CallNode } from '../fold/tree.ts';
import { cutText, describeCut } from './cut-text.ts';
import { joinPayload } from './payload-text.ts';

/**
 * The maximum number of characters of a request, or of a reply without parts: backends reject spans that are
 * too large.
 */
const MAX_CHARACTERS = 20_000;

/** The maximum nesting of arguments as JSON; deeper ones are exported as text. */
const DEEPEST = 64;

/** The heads and bytes of a call. */
type Payload = readonly (HeadEvent | WireEvent)[];

/** An attribute whose value is a text. */
type TextAttribute = readonly [name: string, text: string];

/** How the content of a call is exported. */
export interface ContentOptions {
  readonly operation: 'execute_tool' | 'invoke_agent';
  readonly protocols: Protocols;
}

/**
 * The content of a call by OpenTelemetry's conventions for generative AI: the arguments and the result of a tool, or
 * the messages to and from an agent (`gen_ai.input.messages`, `gen_ai.output.messages`: JSON as text, which backends
 * parse). Long texts are cut, with a note of the length. Empty for a call without payload.
 */
export function contentAttributes(
  node: CallNode,
  payload: Payload,
  { operation, protocols }: ContentOptions,
): readonly TextAttribute[] {
  const requestText = readAsked(node.call.protocol, payload, protocols);
  const parts = listParts(node, payload, protocols);
  const observed = readWhole(payload, 'in');
  if (operation === 'execute_tool') {
    const result = observed === undefined ? undefined : resultOf(parts, observed);
    return [...report(TELEMETRY.toolArguments, requestText), ...report(TELEMETRY.toolResult, result)];
  }
  const input = requestText && toMessage('user', [{ type: 'text', content: requestText }]);
  const output = observed === undefined ? undefined : toReply(node, parts, observed);
  return [...report(TELEMETRY.inputMessages, input), ...report(TELEMETRY.outputMessages, output)];
}

function report(name: string, text: string | undefined): readonly TextAttribute[] {
  return text === undefined ? [] : [[name, text]];
}

/** The content of the last request sent: its arguments, task or query, else the whole text. */
function readAsked(protocol: TraceProtocol, payload: Payload, protocols: Protocols): string | undefined {
  const texts = splitMessages(payload, 'out').flatMap(({ wire }) => readWhole(wire, 'out') ?? []);
  const known = protocols.find(protocol) !== undefined;
  const wants = known ? texts.flatMap(text => listWants(text, protocol, protocols)) : [];
  const requestText = wants.at(-1) ?? texts.at(-1);
  return requestText === undefined ? undefined : cutText(requestText, MAX_CHARACTERS);
}

function listWants(text: string, from: string, protocols: Protocols): readonly string[] {
  const { messages } = readMessages(text, { protocols, from, report: new Report() });
  const requests = messages.filter(({ message }) => findMessageKind(message.kind)?.role === 'request');
  return requests.flatMap(({ message }) => wantOf(message) ?? []);
}

function wantOf({ fields }: Message): string | undefined {
  return showValue(fields.arguments ?? fields.task ?? fields.items ?? fields.query);
}

/** All text of one direction; for other bytes, their number. Undefined if there are none. */
function readWhole(payload: Payload, direction: WireEvent['direction']): string | undefined {
  const joined = joinPayload(payload, direction);
  if (!joined || 'text' in joined) return joined?.text;
  return `${countOf(decodeBase64(joined.base64)?.length ?? 0, 'byte')} of no text`;
}

/** The maximum size of the parts of a reply in a span. Media are not in it. */
const LIMITS: ViewLimits = { part: MAX_CHARACTERS, texts: 20 * MAX_CHARACTERS, media: 0 };

/** The parts of the reply that have content, without those of earlier exchanges. */
function listParts({ call, status }: CallNode, payload: Payload, protocols: Protocols): readonly TracePart[] {
  const read = readParts(protocols.find(call.protocol), payload, status === 'open' ? 'open' : 'ended');
  const parts = flatten(cutTexts(read, LIMITS).parts);
  return parts.filter(({ kind, text, children }) =>
    text === undefined ? kind === 'tool' && children.length === 0 : kind !== 'exchange',
  );
}

function flatten(parts: readonly TracePart[]): readonly TracePart[] {
  return parts.flatMap(part => [part, ...flatten(part.children)]);
}

/** The result of a tool; progress and logs only if there is no other part. */
function resultOf(parts: readonly TracePart[], observed: string): string {
  const written = parts.filter(({ kind }) => !ON_THE_WAY.has(kind));
  const reported = (written.length > 0 ? written : parts).map(textOf);
  return reported.length > 0 ? reported.join('\n') : cutText(observed, MAX_CHARACTERS);
}

const ON_THE_WAY: ReadonlySet<TracePart['kind']> = new Set(['progress', 'log', 'notice', 'status']);

function toReply({ status }: CallNode, parts: readonly TracePart[], observed: string): string {
  const whole = { type: 'text', content: cutText(observed, MAX_CHARACTERS) };
  const reason = status === 'ok' ? 'stop' : status === 'open' ? undefined : 'error';
  return toMessage('assistant', parts.length > 0 ? parts.map(toPart) : [whole], reason);
}

/** A list with one message, in the form of the conventions' JSON schemas. */
function toMessage(role: 'user' | 'assistant', parts: readonly object[], reason?: string): string {
  return JSON.stringify([{ role, parts, ...(reason === undefined ? {} : { finish_reason: reason }) }]);
}

/** A part in the form of the conventions; other kinds have their own names. */
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

/** Parses JSON; a text with a number that would be rounded, or with deep nesting, stays a text. */
function readExact(text: string): unknown {
  return (isExact(text) ? parseJson(text) : undefined) ?? text;
}

function isExact(text: string): boolean {
  let depth = 0;
  let from = 0;
  for (const { sign, at, end } of listDelimiters(text)) {
    if (!isNumberPreserved(text.slice(from, at))) return false;
    from = end;
    if (sign === '{' || sign === '[') depth++;
    if (sign === '}' || sign === ']') depth--;
    if (depth > DEEPEST) return false;
  }
  return isNumberPreserved(text.slice(from));
}

/** False for a text between two signs whose number is not exact as a double. */
function isNumberPreserved(between: string): boolean {
  const literal = /-?\d[\d.eE+-]*/.exec(between)?.[0];
  if (literal === undefined) return true;
  const value = Number(literal);
  return /[.eE]/.test(literal) ? Number.isFinite(value) : Number.isSafeInteger(value);
}

function textOf({ text = '', hidden = 0 }: TracePart): string {
  return hidden === 0 ? text : `${text}${describeCut(hidden)}`;
}
