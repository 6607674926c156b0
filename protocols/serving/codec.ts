import type { Message } from '../../core/message/message.ts';
import { Report } from '../../core/message/report.ts';
import type { Value } from '../../core/values/value.ts';
import { printForAgent } from '../../language/values/json-printer.ts';
import { readWhole, readWrittenJson } from '../../language/values/json-reader.ts';
import { writeMessage } from '../convert/write-message.ts';
import { NO_TOOLS } from '../../language/tools.ts';
import type { MessageProtocols, ProtocolMessages } from '../protocol.ts';
import type { Conversion } from '../message/shape.ts';
import { noteLosses } from './notes.ts';
import type { CallerReply } from './serving.ts';

/** Reads requests and writes replies of a protocol whose messages are JSON, with numbers as they were written. */
export class ServerCodec {
  readonly #protocol: ProtocolMessages;
  readonly #protocols: MessageProtocols;

  constructor(protocol: ProtocolMessages, protocols: MessageProtocols) {
    this.#protocol = protocol;
    this.#protocols = protocols;
  }

  /** The value of a JSON text; undefined for a text that is none, or that a value cannot hold unchanged. */
  parse(text: string): Value | undefined {
    return readWrittenJson(withoutMark(text));
  }

  /** Why a text was not parsed, as a sentence; `otherwise` is that for a text that is no JSON. */
  describeFault(text: string, otherwise: string): string {
    for (const { kind, message, span } of readWhole(withoutMark(text))?.faults ?? []) {
      if (kind === 'rounded') continue;
      const what = message.slice(0, message.lastIndexOf(';'));
      return `${what} (at character ${span.start + 1}), so the JSON cannot be passed on unchanged: correct it there`;
    }
    return otherwise;
  }

  /** The neutral message of a value; undefined if it is none of the protocol. */
  read(value: Value): Message | undefined {
    return this.#protocol.shape?.read(value, { ...this.#conversion(new Report()), number: read => read });
  }

  /** Writes a reply as a value; what the protocol has no place for is noted. */
  write(message: Message, reply: Pick<CallerReply, 'note'>): Value {
    const report = new Report();
    const value = writeMessage(this.#protocol.facts.name, message, { ...this.#conversion(report), id: 1 });
    noteLosses(message, this.#protocol.facts, report, reply);
    return value;
  }

  /** Prints a value as JSON in one line. */
  print(value: Value): string {
    return printForAgent(value);
  }

  #conversion(report: Report): Conversion {
    return { report, protocols: this.#protocols, tools: NO_TOOLS, numbers: 'exact' };
  }
}

/** A text without the byte order mark that some senders begin with. */
function withoutMark(text: string): string {
  return text.startsWith('\u{feff}') ? text.slice(1) : text;
}
