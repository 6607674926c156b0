import type { ConversionName } from '../../core/catalog/conversions.ts';
import type { ToolTable } from '../../language/tools.ts';
import type { Message } from '../../core/message/message.ts';
import type { Value } from '../../core/values/value.ts';
import type { Report } from '../../core/message/report.ts';

/** What reading and writing of messages share. */
export interface Conversion {
  readonly report: Report;
  /** The tools that are known: they name the arguments that stand by place, and give them types. */
  readonly tools: ToolTable;
  /** How a text of JSON in a message has its numbers: `kept` as they were written, for an agent; else all floats alike. */
  readonly numbers?: TextNumbers | undefined;
}

/** How numbers stand in a text of JSON that is in a message. */
export type TextNumbers = 'digits' | 'kept';

/** A message that is being written. */
export interface Writing extends Conversion {
  /** The id that the message has where it names none itself. */
  readonly id: number;
  /** The protocol that the message came in; undefined for one that came in none. */
  readonly from?: ConversionName | undefined;
}

/** A message that is being read; `id` is left out of its fields where it is the one that `Numbering` gives it. */
export interface Reading extends Conversion {
  /** Takes the id off of the fields of a message that has it anyhow. Call once a message, last. */
  readonly number: (message: Message) => Message;
  /** True where replies are called as their agent calls them: `resp_2` is no number of ours. */
  readonly hasForeignNames?: boolean;
}

/** How a protocol whose messages are values shapes them: one file of this folder a protocol. Total both ways. */
export interface ProtocolShape {
  /** True for a value that is a message of this protocol, and of no protocol before it in the order of detection. */
  recognises(value: Value): boolean;
  /** The message of a value; undefined for one that is none of this protocol, however much is missing from it. */
  read(value: Value, reading: Reading): Message | undefined;
  /** The nearest message that the protocol has: what is another one is told. The message itself if left out. */
  nearest?(message: Message, writing: Writing): Message;
  /** Such a message as this protocol's value. A field that has no place there is left out. */
  write(message: Message, writing: Writing): Value;
  /** Replies that come in parts; undefined where a reply comes whole. */
  readonly stream?: StreamShape;
  /** True for a part of a reply that is a message of its own, though replies come whole. */
  hasPart?(part: Message): boolean;
}

/** How a protocol shapes a reply that comes in parts: several events may be one part, and one part several events. */
export interface StreamShape {
  /** True for a value that is an event of a stream. */
  recognises(value: Value): boolean;
  /** True for an event that neither ends the reply nor says how it went, so that who wants the outcome need not read it. */
  isPart?(event: Value): boolean;
  reader(reading: Reading): StreamReader;
  /** Undefined for a protocol whose parts are read as the reply that they amount to. */
  readonly writer?: (writing: Writing) => StreamWriter;
}

export interface StreamReader {
  /** The parts that are whole with this event. */
  push(event: Value): readonly Message[];
  /** What is left where the stream ends here. */
  end(): readonly Message[];
  /** The events that a part was read from; undefined for one of the event that was pushed last. */
  eventsOf?(part: Message): EventRange | undefined;
}

/** Events that follow each other, such as one and those that lead to it. */
export interface EventRange {
  readonly first: Value;
  readonly last: Value;
}

export interface StreamWriter {
  /** The events that tell of this part: a chunk, an end, or the result or error that ends a stream. */
  push(part: Message, writing: Writing): readonly Value[];
  /** What is left to tell where the stream ends here. */
  end(): readonly Value[];
}
