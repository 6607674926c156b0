import type { MessageField, MessageKind } from '../../core/catalog/message-kinds.ts';
import { fieldNames, type Message } from '../../core/message/message.ts';
import { dictValue } from '../../core/values/value.ts';
import { unmarked } from '../content/canonical.ts';
import { Members } from '../message/members.ts';
import type { Conversion } from '../message/shape.ts';
import type { TextSink } from '../../language/values/text-layer.ts';
import { reportDropped } from '../message/dropped.ts';
import { LineWriter } from './line-writer.ts';
import { writeChunkLine, writeErrorLine, writeResultLine } from './reply-lines.ts';
import { writeCallLine, writeNearestLine } from './request-lines.ts';

/**
 * Writes a message as a line of AICF-RPC with its line end. Fields that AICF has no place for are reported as
 * losses, and so are values that reading the line does not restore.
 */
export function writeAicfMessage(message: Message, conversion: Conversion, sink: TextSink): void {
  const meant = unmarked(message);
  const fields = new Members<MessageField>(
    dictValue(fieldNames(meant).map(key => ({ key, value: meant.fields[key] }))),
  );
  writeLine(meant.kind, new LineWriter(fields, conversion, sink));
  for (const { key, value } of fields.entries()) reportDropped(key, value, 'aicf', conversion);
}

function writeLine(kind: MessageKind, lines: LineWriter): void {
  switch (kind) {
    case 'call':
      return writeCallLine(lines);
    case 'list':
      return lines.write('LIST', []);
    case 'describe':
      return lines.write('INFO', lines.takeTool());
    case 'error':
      return writeErrorLine(lines);
    case 'chunk':
      return writeChunkLine(lines);
    case 'end':
      return lines.write('END', []);
    case 'result':
      return writeResultLine(lines);
    case 'value':
      lines.lose('moved', '', 'AICF has no bare values; it is written as the data of a reply');
      return writeResultLine(lines);
    case 'task':
    case 'query':
    case 'negotiate':
      return writeNearestLine(lines, kind);
  }
}
