import type { LanguageId } from '../../core/catalog/languages.ts';
import type { ProtocolName } from '../../core/catalog/protocols.ts';
import { printForAgent } from '../../protocols/convert/calls/agent-json.ts';
import { convertText } from '../../protocols/convert/convert.ts';
import { readWrittenJson } from '../../language/values/json-reader.ts';
import { dictValue, textValue, type Value } from '../../core/values/value.ts';
import { readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import type { HeadEvent, WireEvent } from '../../core/events/events.ts';
import { splitMessages } from '../messages.ts';
import { describeHole, fillSecrets, joinWithHoles, type HoledText } from './replay-secrets.ts';
import type { CallNode } from '../fold/tree.ts';

/** A recorded request as it can be sent again, or why it cannot. Reasons are sentences without a full stop. */
export type RecordedRequest =
  | ({ readonly kind: 'request'; readonly protocol: ProtocolName } & HoledText)
  /** Each connection says this by itself, such as a greeting. */
  | { readonly kind: 'own' }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * The request of a call among all that went out for it. What names one message or one trace alone is taken out, so that the
 * connection names it anew; `newId` makes the ids that a text itself must have. In the places of secrets, which recordings do
 * not keep, it has holes. Everything else stays as it was written.
 */
export function readRecordedRequest(
  { call }: CallNode,
  payload: readonly (HeadEvent | WireEvent)[],
  newId: () => string,
): RecordedRequest {
  const { protocol } = call;
  if (protocol === 'other') return refuse('it speaks no protocol that can be sent');
  const sent = splitMessages(payload, 'out');
  const written = sent.filter(({ wire }) => wire.length > 0);
  if (written.length === 0)
    return sent.length > 0 ? { kind: 'own' } : refuse('the recording holds nothing of what was sent');
  const candidates = written.flatMap(({ head, wire }) => {
    const joined = joinWithHoles(wire, call.agent);
    if (!joined) return [undefined];
    const texts = head || !SAYS_LINES.has(protocol) ? [joined.text] : joined.text.split('\n');
    return texts
      .filter(text => text.trim() !== '')
      .map(text => holesOf(head ? text : text.trimEnd(), joined.holes));
  });
  const broken = candidates.flatMap(each => (each ? (refuseBroken(each, protocol) ?? []) : []));
  const found = PICK[protocol](candidates.map(each => each?.text));
  if (found === undefined) return broken[0] ?? { kind: 'own' };
  const picked = candidates[found];
  if (!picked) return refuse('its request is not UTF-8 text');
  const request = holesOf(nameAnew(picked.text, protocol, newId), picked.holes);
  return refuseBroken(request, protocol) ?? { kind: 'request', protocol, ...request };
}

/** A text with those of the holes that are in it. */
function holesOf(text: string, holes: HoledText['holes']): HoledText {
  return { text, holes: holes.filter(({ stand }) => text.includes(stand)) };
}

/** Refuses a text that no value can be put into, as in the place of a number. */
function refuseBroken(request: HoledText, protocol: ProtocolName): RecordedRequest | undefined {
  const { text, holes } = request;
  const [hole] = holes;
  if (!hole || fillSecrets(text, protocol, holes, () => '0').ok) return undefined;
  return refuse(`${describeHole(request, hole)}, where no value can be put`);
}

/** A recorded request as it is written for an agent. */
export type WrittenRequest =
  | {
      readonly ok: true;
      readonly text: string;
      /** The language of the text; undefined where it is in the agent's own protocol, as it was recorded. */
      readonly language: LanguageId | undefined;
      /** What is lost, each as `place: reason`. */
      readonly losses: readonly string[];
    }
  | { readonly ok: false; readonly reason: string };

/** The language in which an agent is asked that speaks another protocol than the recorded one; undefined where it does not. */
export function languageFor(recorded: ProtocolName, agent: ProtocolName): LanguageId | undefined {
  if (recorded === agent) return undefined;
  return recorded === 'aicf' ? 'aicf' : 'aicl';
}

/** Writes a recorded request for an agent: as it is for one of the same protocol, else converted. */
export function writeForAgent(text: string, from: ProtocolName, agent: ProtocolName): WrittenRequest {
  const language = languageFor(from, agent);
  if (language === undefined || from === language) return { ok: true, text, language, losses: [] };
  const { text: converted, losses, untold, messages } = convertText(text, { from, to: language });
  if (messages.length !== 1)
    return { ok: false, reason: 'its request is not one message that can be converted' };
  const told = losses.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  const more = untold === 0 ? [] : [`${untold} more losses are not told one by one`];
  return { ok: true, text: converted.trimEnd(), language, losses: [...told, ...more] };
}

function refuse(reason: string): RecordedRequest {
  return { kind: 'refused', reason };
}

/** Protocols that say each message on a line of its own where there is no HTTP. */
const SAYS_LINES: ReadonlySet<ProtocolName> = new Set(['mcp', 'aio']);

type Pick = (texts: readonly (string | undefined)[]) => number | undefined;

const last: Pick = texts => (texts.length > 0 ? texts.length - 1 : undefined);
/** What follows the first is leave that was given, and asks nothing new. */
const first: Pick = texts => (texts.length > 0 ? 0 : undefined);

/** Which of the texts that went out for a call is its request: the others ask what the connection itself wants to know. */
const PICK: Readonly<Record<ProtocolName, Pick>> = {
  aicl: last,
  aicf: last,
  'json-rpc': last,
  aio: last,
  mcp: texts => findLast(texts, method => !/^(?:initialize|ping|notifications\/.*)$/.test(method)),
  'agent-api': first,
  responses: first,
  // A task is asked after until it ends.
  a2a: texts => findLast(texts, method => /^(?:Send|message\/)/.test(method)) ?? last(texts),
};

function findLast(
  texts: readonly (string | undefined)[],
  isWanted: (method: string) => boolean,
): number | undefined {
  const at = texts.findLastIndex(text => {
    const method = readFields(parseJson(text ?? ''))?.get('method');
    return typeof method === 'string' && isWanted(method);
  });
  return at < 0 ? undefined : at;
}

function nameAnew(text: string, protocol: ProtocolName, newId: () => string): string {
  const change = CHANGES[protocol];
  const value = change && readWrittenJson(text);
  if (!value) return text;
  const changed = change.reduce((whole, { path, to }) => replaceAt(whole, path, to(newId)), value);
  return changed === value ? text : printForAgent(changed);
}

/** What is made anew: where it stands, and what stands there then; undefined takes it out. A step is a name or a pattern. */
interface Anew {
  readonly path: readonly (string | RegExp)[];
  readonly to: (newId: () => string) => Value | undefined;
}

const nothing: Anew['to'] = () => undefined;

const CHANGES: Readonly<Partial<Record<ProtocolName, readonly Anew[]>>> = {
  aio: [{ path: ['trace_id'], to: nothing }],
  // The library writes these for each request.
  mcp: [
    {
      path: ['params', '_meta', /^(?:traceparent|tracestate|progressToken|io\.modelcontextprotocol\/.*)$/],
      to: nothing,
    },
  ],
  // Agents take a second message of the same id for the first one.
  a2a: [{ path: ['params', 'message', 'messageId'], to: newId => textValue(newId()) }],
};

/** A value with what stands at a path replaced; the same object where nothing stands there. */
function replaceAt(value: Value, [step, ...path]: Anew['path'], to: Value | undefined): Value {
  if (value.kind !== 'dict' || step === undefined) return value;
  let isChanged = false;
  const entries = value.entries.flatMap(entry => {
    if (typeof step === 'string' ? entry.key !== step : !step.test(entry.key)) return [entry];
    const inner = path.length === 0 ? to : replaceAt(entry.value, path, to);
    if (inner === entry.value) return [entry];
    isChanged = true;
    return inner && !(path.length > 0 && isEmpty(inner)) ? [{ key: entry.key, value: inner }] : [];
  });
  return isChanged ? dictValue(entries) : value;
}

function isEmpty(value: Value): boolean {
  return value.kind === 'dict' && value.entries.length === 0;
}
