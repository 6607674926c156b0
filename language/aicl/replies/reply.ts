import { atomSource, findPair, textOf, type PairNode, type Children, type AiclNode } from '../ast.ts';
import { MESSAGE_TYPES } from '../../../core/catalog/aicl.ts';
import { quote } from '../../../core/text/quote.ts';
import { AiclFramer, type AiclFrame } from './frames.ts';
import { parseAicl, readUnit } from '../parse.ts';
import { Scanner } from '../scanner.ts';
import { pairsOf } from '../summary.ts';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { parseStreamId } from '../unit.ts';

/** The fields of a message from which the outcome of a reply is determined. */
export interface AiclMessageHead {
  /** Empty if the message has none. */
  readonly messageType: string;
  /** The `code` of an error as written; undefined for other messages. */
  readonly code: string | undefined;
  /** The `reason` and `detail` of an error, if they are texts. */
  readonly reason: string | undefined;
  readonly detail: string | undefined;
}

/** A request in a reply: the agent needs its answer before it goes on (LightAICL 1.0, section 5.1). */
export interface AiclQuestion {
  /** Empty if the message has none. */
  readonly session: string;
  readonly messageType: string;
  /** The tool, query or task; empty if that is not a text. */
  readonly subject: string;
  /** The text of the message. */
  readonly message: string;
}

/** The body of a reply. */
export interface AiclReply {
  /** Its complete messages, in order. */
  readonly messages: readonly AiclMessageHead[];
  /** True if there was a message, complete or not. */
  readonly isAicl: boolean;
  /** The first message of type `error`. */
  readonly error: AiclMessageHead | undefined;
  /** The type of the first message, if no message has a type that AICL defines; such a reply answers nothing. */
  readonly unknownType: string | undefined;
  /** The session of the last message that names one. */
  readonly session: string | undefined;
  /** The last message, if it is a request; undefined for a reply that answers. */
  readonly question: AiclQuestion | undefined;
  /** True if the last message is not closed. */
  readonly isCut: boolean;
  readonly notes: readonly string[];
}

/**
 * Reads the body of one reply incrementally: one or more messages, separated by their outer brackets. Never
 * fails; an invalid message is read like a file, with a note about its first fault.
 */
export class AiclReplyFold {
  readonly #framer = new AiclFramer();
  readonly #messages: AiclMessageHead[] = [];
  readonly #notes = new Set<string>();
  #question: AiclQuestion | undefined;
  #session: string | undefined;
  #wholeTo = 0;
  #invalid = 0;
  readonly #onMessage: (frame: AiclFrame) => void;

  /** `onMessage` is called for each message, and for the beginning of one that was cut off. */
  constructor(onMessage: (frame: AiclFrame) => void = () => undefined) {
    this.#onMessage = onMessage;
  }

  /** Takes a piece of the body. Returns the offset in the body up to which messages are complete. */
  push(piece: string): number {
    for (const frame of this.#framer.push(piece)) this.#takeFrame(frame);
    return this.#wholeTo;
  }

  /** True once a message is complete. */
  get hasBegun(): boolean {
    return this.#messages.length > 0;
  }

  /** The reply, once its body is complete. */
  end(): AiclReply {
    const frames = this.#framer.end();
    const cut = findCutMessage(frames);
    for (const frame of cut ? frames.slice(0, -1) : frames) this.#takeFrame(frame);
    if (cut) this.#onMessage(cut);
    const isCut = cut !== undefined;
    if (this.#framer.hasForeignText)
      this.#notes.add('The reply holds text outside of its messages, which AICL forbids');
    if (this.#invalid > MAX_NOTES)
      this.#notes.add(`${this.#invalid - MAX_NOTES} more messages of the reply are not valid AICL`);
    return {
      messages: this.#messages,
      isAicl: isCut || this.#messages.length > 0,
      error: this.#messages.find(message => message.messageType === 'error'),
      unknownType: this.#messages.some(isKnown) ? undefined : this.#messages[0]?.messageType,
      session: this.#session,
      question: isCut ? undefined : this.#question,
      isCut,
      notes: [...this.#notes],
    };
  }

  #takeFrame(frame: AiclFrame): void {
    if (frame.isForeign) return;
    if (!isMessage(frame)) {
      this.#notes.add('The reply holds a value that is not a message');
      return;
    }
    this.#wholeTo = frame.end;
    this.#onMessage(frame);
    const { head, fault, session, question } = readHead(frame.text);
    this.#messages.push(head);
    this.#question = question;
    if (session !== '') this.#session = session;
    if (!isKnown(head))
      this.#notes.add(
        `The reply holds a message of the type ${quote(head.messageType)}, which AICL does not have`,
      );
    if (fault !== undefined && ++this.#invalid <= MAX_NOTES)
      this.#notes.add(`Message ${this.#messages.length} of the reply is not valid AICL: ${fault}`);
  }
}

/** True for a frame that is a message, or the start of one. */
export function isMessage({ text, isForeign }: AiclFrame): boolean {
  return isForeign !== true && text.startsWith('[d:');
}

/** The last frame, if it is a message without a closing bracket. */
export function findCutMessage(frames: readonly AiclFrame[]): AiclFrame | undefined {
  const last = frames.at(-1);
  return last && isMessage(last) && !last.text.endsWith(']') ? last : undefined;
}

function isKnown({ messageType }: AiclMessageHead): boolean {
  return isAiclType(messageType);
}

/** True for a type that AICL defines. A message without a type counts too, as in the tutorial. */
export function isAiclType(messageType: string): boolean {
  return messageType === '' || TYPES.has(messageType);
}

const TYPES: ReadonlySet<string> = new Set(MESSAGE_TYPES.map(({ name }) => name));

/** Maximum number of invalid messages that get a note each. */
const MAX_NOTES = 20;

const EMPTY_HEAD: AiclMessageHead = {
  messageType: '',
  code: undefined,
  reason: undefined,
  detail: undefined,
};

interface ReadHead {
  readonly head: AiclMessageHead;
  readonly fault: string | undefined;
  /** Empty if the message has none. */
  readonly session: string;
  readonly question?: AiclQuestion;
}

function readHead(message: string): ReadHead {
  const { pairs, fault } = readAiclPairs(message);
  const read = (key: string): string | undefined => readField(message, pairs, key);
  const messageType = read('msg_type') ?? '';
  const session = read('session_id') ?? '';
  const subject = QUESTIONS.get(messageType);
  if (subject !== undefined) {
    const question = {
      session,
      messageType,
      subject: read(subject) ?? '',
      message,
    };
    return { head: { ...EMPTY_HEAD, messageType }, fault, session, question };
  }
  if (messageType !== 'error') return { head: { ...EMPTY_HEAD, messageType }, fault, session };
  const head = { messageType, code: read('code'), reason: read('reason'), detail: read('detail') };
  return { head, fault, session };
}

/** The types of requests, with the field that says what is wanted. */
const QUESTIONS: ReadonlyMap<string, string> = new Map([
  ['data_query', 'query'],
  ['tool_call', 'tool'],
  ['task_request', 'task'],
]);

/** The decoded text or the integer as written; undefined for other values. */
function readField(message: string, pairs: Children<PairNode>, key: string): string | undefined {
  const value = findPair(message, 0, pairs, key)?.value;
  if (value?.kind === 'text') return textOf(message, 0, value);
  return value?.kind === 'int' ? atomSource(message, 0, value) : undefined;
}

/** The pairs of a message; for an invalid message those that recovery finds, with the first fault. */
export function readAiclPairs(message: string): {
  readonly pairs: Children<PairNode>;
  /** A sentence without a full stop; undefined for a valid message. */
  readonly fault: string | undefined;
} {
  const accepted = new Scanner(message, { count: 0 }).accept(0);
  if (accepted?.end === message.length && accepted.tree.kind === 'message')
    return { pairs: pairsOf(accepted), fault: undefined };
  const doc = parseAicl(message, DEFAULT_SETTINGS, () => []);
  const unit = doc.units.at(0);
  const reading = unit && readUnit(doc, unit);
  return { pairs: pairsOf({ tree: reading?.tree }), fault: reading?.faults[0]?.message ?? NO_MESSAGE };
}

const NO_MESSAGE = 'It is a value and no message';

/** The fields that decide to which request a message belongs and whether it ends the reply. */
export interface AiclDelivery {
  /** Empty if the message has none. */
  readonly session: string;
  /** Empty if the message has none. */
  readonly messageType: string;
  /**
   * True if the message is the last of its reply: an `error`; a message of another type that is not a chunk; a chunk
   * with `is_final` true, or the n-th of n without `is_final`. The agent waits for the answer to a request. Never for
   * unknown types.
   */
  readonly isLast: boolean;
}

/** Reads these fields of a message. Never fails: for an invalid message it uses the result of recovery. */
export function readAiclDelivery(message: string): AiclDelivery {
  const pairs = readAiclPairs(message).pairs;
  const find = (key: string): AiclNode | undefined => findPair(message, 0, pairs, key)?.value;
  const read = (key: string): string => {
    const value = find(key);
    return value?.kind === 'text' ? textOf(message, 0, value) : '';
  };
  const messageType = read('msg_type');
  return { session: read('session_id'), messageType, isLast: isLast(message, messageType, find) };
}

/** Types that answer a request; a message without a type is also a reply, as in the tutorial. */
const ANSWERS: ReadonlySet<string> = new Set(['result', 'protocol_negotiate', '']);

function isLast(message: string, messageType: string, find: (key: string) => AiclNode | undefined): boolean {
  if (messageType === 'error') return true;
  if (!ANSWERS.has(messageType) && !QUESTIONS.has(messageType)) return false;
  const final = find('is_final');
  if (final?.kind === 'bool') return atomSource(message, 0, final) === 'true';
  const stream = find('stream_id');
  if (stream?.kind !== 'text') return true;
  const place = parseStreamId(textOf(message, 0, stream));
  return place !== undefined && place.k === place.n;
}
