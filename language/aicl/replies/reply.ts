import { atomSource, findPair, textOf, type PairNode } from '../ast.ts';
import type { Children } from '../children.ts';
import { MESSAGE_TYPES } from '../../../core/catalog/aicl.ts';
import { quote } from '../../../core/text/quote.ts';
import { AiclFramer, type AiclFrame } from './frames.ts';
import { readAiclPairs } from './pairs.ts';

/** What a reply is judged by: a few fields of one of its messages. */
export interface AiclMessageHead {
  /** Empty where the message has none. */
  readonly messageType: string;
  /** `code` of an error as it is written; undefined in other messages. */
  readonly code: string | undefined;
  /** `reason` and `detail` of an error, as far as they are texts. */
  readonly reason: string | undefined;
  readonly detail: string | undefined;
}

/** The body of a reply. */
export interface AiclReply {
  /** Its whole messages, in order. */
  readonly messages: readonly AiclMessageHead[];
  /** True where a message came, be it whole or not. */
  readonly isAicl: boolean;
  /** The first message of type `error`. */
  readonly error: AiclMessageHead | undefined;
  /** The type of the first message, where none of them has a type that AICL has: such a reply answers nothing. */
  readonly unknownType: string | undefined;
  /** True where the last message is not closed. */
  readonly isCut: boolean;
  readonly notes: readonly string[];
}

/**
 * Folds the body of one reply while it comes: one or more messages, told apart by their outer brackets. Total; a
 * message that the grammar does not accept is read by the rules of a file, with a note of what is wrong.
 */
export class AiclReplyFold {
  readonly #framer = new AiclFramer();
  readonly #messages: AiclMessageHead[] = [];
  readonly #notes = new Set<string>();
  #wholeTo = 0;
  #invalid = 0;

  /** Takes a piece of the body. Answers up to which offset of the body messages are whole. */
  push(piece: string): number {
    for (const frame of this.#framer.push(piece)) this.#takeFrame(frame);
    return this.#wholeTo;
  }

  /** The reply, when its body is over. */
  end(): AiclReply {
    const frames = this.#framer.end();
    const isCut = findCutMessage(frames) !== undefined;
    for (const frame of isCut ? frames.slice(0, -1) : frames) this.#takeFrame(frame);
    if (this.#framer.hasForeignText)
      this.#notes.add('The reply holds text outside of its messages, which AICL forbids');
    if (this.#invalid > MOST_NOTES)
      this.#notes.add(`${this.#invalid - MOST_NOTES} more messages of the reply are not valid AICL`);
    return {
      messages: this.#messages,
      isAicl: isCut || this.#messages.length > 0,
      error: this.#messages.find(message => message.messageType === 'error'),
      unknownType: this.#messages.some(isKnown) ? undefined : this.#messages[0]?.messageType,
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
    const { head, fault } = readHead(frame.text);
    this.#messages.push(head);
    if (!isKnown(head))
      this.#notes.add(
        `The reply holds a message of the type ${quote(head.messageType)}, which AICL does not have`,
      );
    if (fault !== undefined && ++this.#invalid <= MOST_NOTES)
      this.#notes.add(`Message ${this.#messages.length} of the reply is not valid AICL: ${fault}`);
  }
}

/** True for a frame that is a message, or the beginning of one. */
export function isMessage({ text, isForeign }: AiclFrame): boolean {
  return isForeign !== true && text.startsWith('[d:');
}

/** The last frame, where it is a message of which nothing more came although it does not end in a bracket. */
export function findCutMessage(frames: readonly AiclFrame[]): AiclFrame | undefined {
  const last = frames.at(-1);
  return last && isMessage(last) && !last.text.endsWith(']') ? last : undefined;
}

function isKnown({ messageType }: AiclMessageHead): boolean {
  return isAiclType(messageType);
}

/** True for a type that AICL has. A message without one is a reply, too: those of the tutorial have none. */
export function isAiclType(messageType: string): boolean {
  return messageType === '' || TYPES.has(messageType);
}

const TYPES: ReadonlySet<string> = new Set(MESSAGE_TYPES.map(({ name }) => name));

/** Messages that are not valid are noted one by one up to this number. */
const MOST_NOTES = 20;

const EMPTY_HEAD: AiclMessageHead = {
  messageType: '',
  code: undefined,
  reason: undefined,
  detail: undefined,
};

/** Folds a whole body. */
export function foldAiclReply(body: string): AiclReply {
  const fold = new AiclReplyFold();
  fold.push(body);
  return fold.end();
}

function readHead(message: string): { readonly head: AiclMessageHead; readonly fault: string | undefined } {
  const { pairs, fault } = readAiclPairs(message);
  const messageType = readField(message, pairs, 'msg_type') ?? '';
  if (messageType !== 'error') return { head: { ...EMPTY_HEAD, messageType }, fault };
  const [code, reason, detail] = ['code', 'reason', 'detail'].map(key => readField(message, pairs, key));
  return { head: { messageType, code, reason, detail }, fault };
}

/** A text as it means, an integer as it is written; undefined for other values. */
function readField(message: string, pairs: Children<PairNode>, key: string): string | undefined {
  const value = findPair(message, 0, pairs, key)?.value;
  if (value?.kind === 'text') return textOf(message, 0, value);
  return value?.kind === 'int' ? atomSource(message, 0, value) : undefined;
}
