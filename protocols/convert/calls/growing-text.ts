import type { MessageLanguage } from '../../../core/catalog/protocols.ts';
import { encodeField } from '../../../language/aicf/codec.ts';
import { escapeText } from '../../../language/aicl/escapes.ts';

/** How a text that grows at the end of a message is written in a language. */
export interface GrowingForm {
  readonly encode: (text: string) => string;
  /** The length of the prefix whose encoding does not depend on what follows. */
  readonly decidedTo: (text: string) => number;
  /** True where a message has places besides its text: for its reasoning, and for a media type. */
  readonly hasMembers: boolean;
  /** What follows the text at the end of a message, and what separates two messages. */
  readonly end: string;
  readonly between: string;
}

const LONE_SURROGATES = /\p{Surrogate}/gu;

/** The first half of a surrogate pair, whose second half may follow. */
const HALF = /[\ud800-\udbff]/;

/** Backslashes that may be part of an escape, or be followed by an escaped character. */
const UNDECIDED = /(?<!\\)\\+(?:u(?:0(?:0[05]?)?)?)?$/;

export const GROWING_FORMS: Readonly<Record<MessageLanguage, GrowingForm>> = {
  aicl: {
    // AICL cannot send lone surrogates: they are replaced.
    encode: text => escapeText(text.replace(LONE_SURROGATES, '\ufffd')),
    decidedTo: text =>
      HALF.test(text.slice(-1)) ? text.length - 1 : (UNDECIDED.exec(text)?.index ?? text.length),
    hasMembers: true,
    end: ']\n]\n',
    between: '\n',
  },
  aicf: {
    encode: encodeField,
    // A CR may be half of a line end.
    decidedTo: text => (HALF.test(text.slice(-1)) || text.endsWith('\r') ? text.length - 1 : text.length),
    hasMembers: false,
    end: '\n',
    between: '',
  },
};
