import type { Span } from '../core/text/span.ts';

/** A request in a file with the replies to it in the same file. */
export interface Exchange {
  /** `task` delegates work; `call` runs a tool; `query` reads existing data. */
  readonly kind: 'task' | 'call' | 'query';
  /** The name of the task, tool or query. */
  readonly name: string;
  /** The session of the request; empty if the protocol has none: the whole file then counts as one. */
  readonly session: string;
  /** The agent in `# @agent` above the request; empty without that directive. */
  readonly agent: string;
  readonly span: Span;
  /** The start of the request, where an editor puts the cursor. */
  readonly nameSpan: Span;
  readonly replies: readonly Span[];
}

/** An inlay hint: text that the editor shows but that is not in the document. */
export interface TextHint {
  /** The hint is shown before the character at this offset. */
  readonly offset: number;
  readonly label: string;
  /** Plain text, shown on hover. */
  readonly tooltip: string;
  /** An `escape` hint has no space after it, because the text continues there. */
  readonly kind: 'parameter' | 'type' | 'escape';
}

/** Maximum number of hints in a span; the first ones are returned. Editors ask for the visible part only. */
export const MAX_HINTS = 1_000;

/** A range of lines that can be folded: from the line of `start` to the line of `end`. */
export interface Fold {
  readonly span: Span;
  readonly kind: 'region' | 'comment';
}

/** The first folds of a text. */
export interface FoldList {
  readonly folds: readonly Fold[];
  /** True where the text has more. */
  readonly isCut: boolean;
}

/** The first `most` folds of a text. */
export function firstFolds(folds: readonly Fold[], most: number): FoldList {
  const isCut = folds.length > most;
  return { folds: isCut ? folds.slice(0, most) : folds, isCut };
}

/** An entry of the workspace symbol search. */
export interface Landmark {
  readonly name: string;
  readonly kind: 'session' | 'tool' | 'request' | 'error' | 'section';
  /** The session of the entry; empty if it has none. */
  readonly container: string;
  readonly span: Span;
}

/** Maximum number of landmarks of one file. */
const MAX_LANDMARKS = 10_000;

/**
 * Collects the landmarks of one file without duplicates: a session that calls a tool a thousand times lists
 * it once.
 */
export class LandmarkList {
  readonly #found = new Map<string, Landmark>();

  add(landmark: Landmark): void {
    const key = JSON.stringify([landmark.kind, landmark.name, landmark.container]);
    if (landmark.name.trim() === '' || this.#found.has(key)) return;
    if (this.#found.size < MAX_LANDMARKS) this.#found.set(key, landmark);
  }

  all(): readonly Landmark[] {
    return [...this.#found.values()];
  }
}

/** The signature of a call, shown while the user writes it. */
export interface Signature {
  /** One line. */
  readonly label: string;
  /** Markdown; empty without documentation. */
  readonly documentation: string;
  readonly parameters: readonly SignatureParameter[];
  /** Index of the parameter at the cursor; past the last one if the call has too many arguments. */
  readonly active: number;
}

/** One parameter and its span in the label. */
export interface SignatureParameter {
  readonly span: Span;
  /** Markdown. */
  readonly documentation: string;
}

/** A tensor in a document. Spans are UTF-16 offsets in the document. */
export interface TensorPlace {
  /** The whole value: `[t:…]`. */
  readonly span: Span;
  /** Empty, like `shape`, if the tensor has fewer than three parts. */
  readonly dtype: Span;
  readonly shape: Span;
  /** The Base85 text, including white space. */
  readonly payload: Span;
  /** The path in the message as used on the command line: `data`, `constraints.video`, `[3]`, `data[0]`. */
  readonly path: string;
  /** The number of the message, from 1; only messages with values count. */
  readonly message: number;
  /** The title of the message: its tool, query or type. */
  readonly title: string;
  /** True if the message is signed: the signature is invalid after a change of the tensor. */
  readonly isSigned: boolean;
}

/** Maximum number of tensors in a list. */
export const MAX_TENSORS = 1_000;
