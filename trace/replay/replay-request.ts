import { findProtocol, type MessageLanguage } from '../../core/catalog/protocols.ts';
import { printForAgent } from '../../language/values/json-printer.ts';
import { convertText } from '../../protocols/convert/convert.ts';
import { readWrittenJson } from '../../language/values/json-reader.ts';
import type { Protocol, Protocols } from '../../protocols/protocol.ts';
import type { HeadEvent, WireEvent } from '../../core/events/events.ts';
import { splitMessages } from '../messages.ts';
import { describeHole, fillSecrets, joinWithHoles, type HoledText } from './replay-secrets.ts';
import type { CallNode } from '../fold/tree.ts';

/** A recorded request that can be sent again, or the reason why not, as a sentence without a full stop. */
export type RecordedRequest =
  | ({ readonly kind: 'request'; readonly protocol: string } & HoledText)
  /** Sent by each connection itself, such as a handshake. */
  | { readonly kind: 'own' }
  | { readonly kind: 'refused'; readonly reason: string };

/** The context for reading a recorded request. */
export interface ReplayOptions {
  /** Makes unique ids. */
  readonly newId: () => string;
  readonly protocols: Protocols;
}

/**
 * Finds the request of a call among everything that was sent for it. Ids of a single message or trace are
 * removed, so that the connection makes new ones. Secrets, which recordings do not store, become holes.
 * Everything else keeps its spelling.
 */
export function readRecordedRequest(
  { call }: CallNode,
  payload: readonly (HeadEvent | WireEvent)[],
  { newId, protocols }: ReplayOptions,
): RecordedRequest {
  const protocol = protocols.find(call.protocol);
  if (!protocol) return refuse('it speaks no protocol that can be sent');
  const sent = splitMessages(payload, 'out');
  const written = sent.filter(({ wire }) => wire.length > 0);
  if (written.length === 0)
    return sent.length > 0 ? { kind: 'own' } : refuse('the recording does not contain what was sent');
  const candidates = written.flatMap(({ head, wire }) => {
    const stored = joinWithHoles(wire, call.agent);
    if (!stored) return [undefined];
    const joined = { ...stored, text: (head && frameText(stored.text, head, protocol)) ?? stored.text };
    const texts = head || !protocol.replay?.isLineDelimited ? [joined.text] : joined.text.split('\n');
    return texts
      .filter(text => text.trim() !== '')
      .map(text => holesOf(head ? text : text.trimEnd(), joined.holes));
  });
  const broken = candidates.flatMap(each => (each ? (refuseBroken(each, call.protocol) ?? []) : []));
  const texts = candidates.map(each => each?.text);
  const found = protocol.replay?.pick ? protocol.replay.pick(texts) : lastOf(texts);
  if (found === undefined) return broken[0] ?? { kind: 'own' };
  const picked = candidates[found];
  if (!picked) return refuse('its request is not UTF-8 text');
  const request = holesOf(nameAnew(picked.text, protocol, newId), picked.holes);
  return refuseBroken(request, call.protocol) ?? { kind: 'request', protocol: call.protocol, ...request };
}

/** The message of a request whose method and path are part of it; undefined for one that is a message by itself. */
function frameText(
  text: string,
  { line, headers }: HeadEvent,
  { requests, facts }: Protocol,
): string | undefined {
  const [method = '', path = ''] = line.split(' ', 2);
  const observed = { method, path, headers, text, known: facts.name };
  const framed = requests.frame?.(observed, () => readWrittenJson(text));
  return framed && printForAgent(framed);
}

/** A text with the holes that are in it. */
function holesOf(text: string, holes: HoledText['holes']): HoledText {
  return { text, holes: holes.filter(({ placeholder }) => text.includes(placeholder)) };
}

/** Refuses a text with a hole that no value fits, as in the place of a number. */
function refuseBroken(request: HoledText, protocol: string): RecordedRequest | undefined {
  const { text, holes } = request;
  const [hole] = holes;
  if (!hole || fillSecrets(text, protocol, holes, () => '0').ok) return undefined;
  return refuse(`${describeHole(request, hole)}, where no value can be filled in`);
}

/** A recorded request in the form for an agent. */
export type WrittenRequest =
  | {
      readonly ok: true;
      readonly text: string;
      /** The language of the text; undefined if it is in the agent's own protocol, as recorded. */
      readonly language: MessageLanguage | undefined;
      /** The losses, each as `place: reason`. */
      readonly losses: readonly string[];
    }
  | { readonly ok: false; readonly reason: string };

/** The language for an agent of another protocol than the recorded one; undefined if the protocol is the same. */
export function languageFor(recorded: string, agent: string): MessageLanguage | undefined {
  if (recorded === agent) return undefined;
  return findProtocol(recorded)?.language === 'aicf' ? 'aicf' : 'aicl';
}

/** Writes a recorded request for an agent: unchanged if the protocol is the same, else converted. */
export function writeForAgent(
  text: string,
  {
    from,
    to: agent,
    protocols,
  }: { readonly from: string; readonly to: string; readonly protocols: Protocols },
): WrittenRequest {
  const language = languageFor(from, agent);
  if (language === undefined || from === language) return { ok: true, text, language, losses: [] };
  const {
    text: converted,
    losses,
    unreported,
    messages,
  } = convertText(text, {
    protocols,
    from: protocols.find(from)?.facts.name,
    to: language,
  });
  if (messages.length !== 1)
    return { ok: false, reason: 'its request is not one message that can be converted' };
  const reported = losses.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  const more = unreported === 0 ? [] : [`${unreported} more losses are not listed`];
  return { ok: true, text: converted.trimEnd(), language, losses: [...reported, ...more] };
}

function refuse(reason: string): RecordedRequest {
  return { kind: 'refused', reason };
}

function lastOf(texts: readonly unknown[]): number | undefined {
  return texts.length > 0 ? texts.length - 1 : undefined;
}

function nameAnew(text: string, protocol: Protocol, newId: () => string): string {
  const { renew } = protocol.replay ?? {};
  const value = renew && readWrittenJson(text);
  if (!value) return text;
  const changed = renew(value, newId);
  return changed === value ? text : printForAgent(changed);
}
