import type { ToolTable } from '../../language/tools.ts';
import type { Span } from '../../core/text/span.ts';
import type { FaultList } from '../../language/values/fault-list.ts';
import type { PartOptions, TextSink } from '../../language/values/text-layer.ts';
import type { Message } from '../../core/message/message.ts';
import type { Value } from '../../core/values/value.ts';
import type { Report } from '../../core/message/report.ts';
import type { MessageProtocols } from '../protocol.ts';

/** The context of both reading and writing messages. */
export interface Conversion {
  readonly report: Report;
  readonly protocols: MessageProtocols;
  /** The known tools, which give names and types to positional arguments. */
  readonly tools: ToolTable;
  /** The form of numbers in a JSON text within a message: `exact` is as written, for an agent; otherwise uniform. */
  readonly numbers?: TextNumbers | undefined;
}

/** The form of numbers in a JSON text within a message. */
export type TextNumbers = 'digits' | 'exact';

/** The context of writing a message. */
export interface Writing extends Conversion {
  /** The default id of the message, for one without its own. */
  readonly id: number;
  /** The protocol of the source message; undefined if it has none. */
  readonly from?: string | undefined;
  /** Parameters of requests that the agent's entry sets: constraints with these names are no parameters. */
  readonly fixedParameters?: readonly string[] | undefined;
}

/** The context of reading a message; an `id` that is the default of `Numbering` is removed from its fields. */
export interface Reading extends Conversion {
  /** Removes the id of a message if it is the default. Must be called once for each message, as the last step. */
  readonly number: (message: Message) => Message;
  /** True where ids are those of an agent, so that `resp_2` is not one of our numbers. */
  readonly hasForeignNames?: boolean;
  /** True for a reply that arrives: parts of a stream are needed before it is known whether it is complete. */
  readonly isLive?: boolean;
}

/** Reads and writes the messages of a protocol whose messages are values. Total both ways. */
export interface ProtocolShape {
  /** True for a value that is a message of this protocol, and of no protocol before it in the order of detection. */
  recognises(value: Value): boolean;
  /** Reads the message of a value; undefined if it is none of this protocol. Members may be missing. */
  read(value: Value, reading: Reading): Message | undefined;
  /**
   * Converts a message to the nearest one that the protocol has, and reports changes. By default, the message
   * itself.
   */
  nearest?(message: Message, writing: Writing): Message;
  /** Writes such a message as a value. A field that has no place there is left out. */
  write(message: Message, writing: Writing): Value;
  /**
   * Members that mean the same as their absence, in the structure of a message: `{"result":{"isError":false}}`. `null`
   * matches any value: such a member is about the connection and not about the message.
   * Nothing is lost if another protocol has no place for them.
   */
  readonly defaults?: Value;
  /** Reads and writes streamed replies; undefined for a protocol without them. */
  readonly stream?: StreamShape;
  /** True for a part of a reply that is written as a message of its own, although the protocol has no streams. */
  hasPart?(part: Message): boolean;
}

/** Reads and writes the messages of a protocol whose messages are lines of text. Total both ways. */
export interface LineShape {
  /** Passes on each message of a text as soon as it is read; returns what could not be read. In slices, and linear. */
  readSteps(
    text: string,
    conversion: Conversion,
    options: PartOptions,
    take: (found: MessageOfLine) => void,
  ): Generator<undefined, FaultList>;
  /** Writes a message with its line end. Fields that have no place in the line, and values that change, are reported. */
  write(message: Message, conversion: Conversion, sink: TextSink): void;
}

/** A message and the position of its line in the text. */
export interface MessageOfLine {
  readonly message: Message;
  readonly span: Span;
  /** The known tools of the agent that a call is for; undefined for a message that is no call. */
  readonly tools: ToolTable | undefined;
}

/** Reads and writes a streamed reply: several events may be one part, and one part several events. */
export interface StreamShape {
  /** True for a value that is an event of a stream. */
  recognises(value: Value): boolean;
  /**
   * True for an event that affects neither end nor outcome of the reply, so that a reader of the outcome may
   * skip it.
   */
  isPart?(event: Value): boolean;
  reader(reading: Reading): StreamReader;
  /** Undefined for a protocol whose streams are only read, as whole replies. */
  readonly writer?: (writing: Writing) => StreamWriter;
}

export interface StreamReader {
  /** Returns the parts that this event completes. */
  push(event: Value): readonly Message[];
  /** Returns the remaining parts at the end of the stream. */
  end(): readonly Message[];
  /** Why the reply is not complete if no more events come, as the end of a sentence; undefined if it is. */
  readonly unfinished?: string | undefined;
  /** The events that a part was read from; undefined for a part of the last pushed event. */
  eventsOf?(part: Message): EventRange | undefined;
}

/** A range of consecutive events. */
export interface EventRange {
  readonly first: Value;
  readonly last: Value;
}

export interface StreamWriter {
  /** Returns the events for this part: a chunk, an end, or the result or error that ends a stream. */
  push(part: Message, writing: Writing): readonly Value[];
  /** Returns the remaining events at the end of the stream. */
  end(): readonly Value[];
}
