import type { LanguageId } from '../../core/catalog/languages.ts';
import { findConversion } from '../../core/catalog/conversions.ts';
import { printForAgent } from '../../protocols/convert/calls/agent-json.ts';
import { convertText } from '../../protocols/convert/convert.ts';
import { readWrittenJson } from '../../language/values/json-reader.ts';
import type { Protocol, Protocols } from '../../protocols/protocol.ts';
import type { HeadEvent, WireEvent } from '../../core/events/events.ts';
import { splitMessages } from '../messages.ts';
import { describeHole, fillSecrets, joinWithHoles, type HoledText } from './replay-secrets.ts';
import type { CallNode } from '../fold/tree.ts';

/** A recorded request as it can be sent again, or why it cannot. Reasons are sentences without a full stop. */
export type RecordedRequest =
  | ({ readonly kind: 'request'; readonly protocol: string } & HoledText)
  /** Each connection says this by itself, such as a greeting. */
  | { readonly kind: 'own' }
  | { readonly kind: 'refused'; readonly reason: string };

/** What a recorded request is read with. */
export interface ReplayOptions {
  /** Makes ids that no other message has. */
  readonly newId: () => string;
  readonly protocols: Protocols;
}

/**
 * The request of a call among all that went out for it. What names one message or one trace alone is taken out, so that the
 * connection names it anew. In the places of secrets, which recordings do
 * not keep, it has holes. Everything else stays as it was written.
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
    return sent.length > 0 ? { kind: 'own' } : refuse('the recording holds nothing of what was sent');
  const candidates = written.flatMap(({ head, wire }) => {
    const joined = joinWithHoles(wire, call.agent);
    if (!joined) return [undefined];
    const texts = head || !protocol.replay?.saysLines ? [joined.text] : joined.text.split('\n');
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

/** A text with those of the holes that are in it. */
function holesOf(text: string, holes: HoledText['holes']): HoledText {
  return { text, holes: holes.filter(({ stand }) => text.includes(stand)) };
}

/** Refuses a text that no value can be put into, as in the place of a number. */
function refuseBroken(request: HoledText, protocol: string): RecordedRequest | undefined {
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
export function languageFor(recorded: string, agent: string): LanguageId | undefined {
  if (recorded === agent) return undefined;
  return recorded === 'aicf' ? 'aicf' : 'aicl';
}

/** Writes a recorded request for an agent: as it is for one of the same protocol, else converted. */
export function writeForAgent(text: string, from: string, agent: string): WrittenRequest {
  const language = languageFor(from, agent);
  if (language === undefined || from === language) return { ok: true, text, language, losses: [] };
  const {
    text: converted,
    losses,
    untold,
    messages,
  } = convertText(text, {
    from: findConversion(from)?.name,
    to: language,
  });
  if (messages.length !== 1)
    return { ok: false, reason: 'its request is not one message that can be converted' };
  const told = losses.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  const more = untold === 0 ? [] : [`${untold} more losses are not told one by one`];
  return { ok: true, text: converted.trimEnd(), language, losses: [...told, ...more] };
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
