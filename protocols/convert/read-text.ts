import type { ToolTable } from '../../language/tools.ts';
import { runAtOnce } from '../../core/text/slices.ts';
import { detectLayer } from '../recognise/detect.ts';
import { splitSegments, type Segment } from './foreign-parts.ts';
import { layerOf, titleOf } from './shapes.ts';
import type { MessageTaker, SourceMessage, SourceText } from './source-message.ts';
import { TextReader, type ReadOptions } from './text-reader.ts';
import type { FaultList } from '../../language/values/fault-list.ts';

/**
 * Reads all messages of a text. A part that cannot be read is reported with its line, unless it is a message
 * of another language, which is then read as that. Total, and at most three passes.
 */
export function readMessages(text: string, options: ReadOptions): SourceText {
  return runAtOnce(readSteps(text, options));
}

/** The same in slices. */
export function* readSteps(text: string, options: ReadOptions): Generator<undefined, SourceText> {
  const { taker, tools } = yield* takeSteps(text, options, () => new MessageList());
  return { messages: taker.messages, tools };
}

class MessageList implements MessageTaker {
  readonly messages: SourceMessage[] = [];

  take(message: SourceMessage): void {
    this.messages.push(message);
  }
}

/** The messages of a text, passed to a taker. */
interface TakenText<Taker extends MessageTaker> {
  readonly taker: Taker;
  /** All known tools. */
  readonly tools: ToolTable;
  /** Parts that could not be read, or not exactly. */
  readonly faults: FaultList;
  /** Passes the same messages to another taker. Nothing is reported again. */
  readonly takeAgainSteps: (other: Taker) => Generator<undefined, void>;
}

/**
 * Passes the messages of a text to a taker as they are read. A text that turns out to have several languages
 * is read again, with a new taker.
 */
export function* takeSteps<Taker extends MessageTaker>(
  text: string,
  options: ReadOptions,
  start: () => Taker,
): Generator<undefined, TakenText<Taker>> {
  const { protocols } = options;
  const layer = detectLayer(protocols, text, options.from);
  const wanted = options.from && layerOf(protocols, options.from);
  if (wanted && wanted !== layer)
    options.report.note(
      `The text does not look like ${titleOf(protocols, options.from)}; it was read as what it looks like`,
    );
  let reading: ReadOptions = { ...options, from: wanted === layer ? options.from : undefined };
  let segments: readonly Segment[] = [{ layer, span: { start: 0, end: text.length } }];
  let taker = start();
  let reader = yield* readSegments(text, segments, reading, taker);
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const split = splitSegments(text, segments, reader);
    if (!split) break;
    if (pass === 0)
      options.report.note('The text holds messages in several languages; each was read in its own');
    segments = split;
    options.places?.clear();
    taker = start();
    reading = { ...reading, tools: reader.tools };
    reader = yield* readSegments(text, segments, reading, taker);
  }
  options.report.adopt(reader.report);
  const last = reader;
  return {
    taker,
    faults: last.faults,
    *takeAgainSteps(other) {
      options.places?.clear();
      yield* readSegments(text, segments, reading, other);
    },
    // A getter, because listing the tools is expensive: a text may declare very many.
    get tools() {
      return last.tools;
    },
  };
}

/** The maximum number of further passes: a text has at most three languages. */
const MAX_PASSES = 2;

function* readSegments(
  text: string,
  segments: readonly Segment[],
  options: ReadOptions,
  taker: MessageTaker,
): Generator<undefined, TextReader> {
  const reader = new TextReader(text, options, taker);
  for (const segment of segments) yield* reader.read(segment);
  reader.reportFaults();
  return reader;
}
