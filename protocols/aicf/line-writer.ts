import { encodeReturns, escapeField } from '../../language/aicf/codec.ts';
import type { AicfCommandName } from '../../core/catalog/aicf.ts';
import type { MessageField } from '../../core/catalog/message-kinds.ts';
import { textIn, type Value } from '../../core/values/value.ts';
import type { Members } from '../message/members.ts';
import { NO_SURROGATE, type LossKind } from '../../core/message/report.ts';
import type { Conversion } from '../message/shape.ts';
import type { TextSink } from '../../language/values/text-layer.ts';

/** A field of a line before it is written: raw, with the value that it carries. */
export interface RawField {
  readonly raw: string;
  readonly value?: Value | undefined;
  /** Where in the message it stands; the message itself if left out. */
  readonly path?: string;
}

const NO_RETURN = 'AICF cannot send a carriage return; a line feed is in its place';
const LONE_SURROGATES = /\p{Surrogate}/gu;

/** Writes the line of one message. Whoever writes takes the fields that it writes; the others are told as losses. */
export class LineWriter {
  readonly fields: Members<MessageField>;
  readonly conversion: Conversion;
  readonly #sink: TextSink;

  constructor(fields: Members<MessageField>, conversion: Conversion, sink: TextSink) {
    this.fields = fields;
    this.conversion = conversion;
    this.#sink = sink;
  }

  lose(kind: LossKind, path: string, told: string, value?: Value): void {
    this.conversion.report.lose(kind, path, told, value);
  }

  /** Writes the line with its end. */
  write(command: AicfCommandName, fields: readonly RawField[]): void {
    const { places } = this.#sink;
    this.#sink.write(command);
    for (const field of fields) {
      const { value } = field;
      this.#sink.write('|');
      const start = this.#sink.length;
      this.#sink.write(this.#wellFormed(field));
      if (value) places?.set(value, { start, end: this.#sink.length });
    }
    this.#sink.write('\n');
  }

  /** A line is UTF-8, which has no halves of surrogate pairs, and a CR would end it. */
  #wellFormed({ raw, value, path = '' }: RawField): string {
    const oneLine = encodeReturns(raw);
    if (oneLine !== raw) this.lose('dropped', path, NO_RETURN, value);
    const whole = oneLine.replace(LONE_SURROGATES, '\ufffd');
    if (whole !== oneLine) this.lose('rounded', path, NO_SURROGATE, value);
    return whole;
  }

  /** Takes the tool of a request; a name that is no text cannot be written. */
  takeTool(): readonly RawField[] {
    const tool = this.fields.take('tool');
    const name = textIn(tool);
    if (name !== undefined) return [{ raw: escapeField(name), value: tool, path: 'tool' }];
    if (tool) this.lose('dropped', 'tool', 'The name of a tool is a text in AICF', tool);
    return [];
  }
}
