import { encodeReturns, escapeField } from '../../language/aicf/codec.ts';
import type { AicfCommandName } from '../../core/catalog/aicf.ts';
import type { MessageField } from '../../core/catalog/message-kinds.ts';
import { textIn, type Value } from '../../core/values/value.ts';
import type { Members } from '../message/members.ts';
import { NO_SURROGATE, type LossKind } from '../../core/message/report.ts';
import type { Conversion } from '../message/shape.ts';
import type { TextSink } from '../../language/values/text-layer.ts';

/** A raw field of a line to be written, with the value in it. */
export interface RawField {
  readonly raw: string;
  readonly value?: Value | undefined;
  /** The path of the value in the message; empty for the message itself. */
  readonly path?: string;
}

const NO_RETURN = 'AICF cannot send a carriage return; a line feed is in its place';
const LONE_SURROGATES = /\p{Surrogate}/gu;

/** Writes the line of one message. The caller takes the fields that it writes; the others are reported as losses. */
export class LineWriter {
  readonly fields: Members<MessageField>;
  readonly conversion: Conversion;
  readonly #sink: TextSink;

  constructor(fields: Members<MessageField>, conversion: Conversion, sink: TextSink) {
    this.fields = fields;
    this.conversion = conversion;
    this.#sink = sink;
  }

  lose(kind: LossKind, path: string, reported: string, value?: Value): void {
    this.conversion.report.lose(kind, path, reported, value);
  }

  /** Writes the line with its line end. */
  write(command: AicfCommandName, fields: Iterable<RawField>): void {
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

  /** Makes a field valid in a line: UTF-8 has no lone surrogates, and a CR would end the line. */
  #wellFormed({ raw, value, path = '' }: RawField): string {
    const oneLine = encodeReturns(raw);
    if (oneLine !== raw) this.lose('dropped', path, NO_RETURN, value);
    const whole = oneLine.replace(LONE_SURROGATES, '\ufffd');
    if (whole !== oneLine) this.lose('rounded', path, NO_SURROGATE, value);
    return whole;
  }

  /** Takes the tool of a request; a name that is not a text cannot be written. */
  takeTool(): readonly RawField[] {
    const tool = this.fields.take('tool');
    const name = textIn(tool);
    if (name !== undefined) return [{ raw: escapeField(name), value: tool, path: 'tool' }];
    if (tool) this.lose('dropped', 'tool', 'The name of a tool is a text in AICF', tool);
    return [];
  }
}
