import type { Message } from '../../core/message/message.ts';
import type { Value } from '../../core/values/value.ts';
import { reportLost } from './check.ts';
import { jsonShape } from '../json/shape.ts';
import { Report } from '../../core/message/report.ts';
import type { Writing } from '../message/shape.ts';
import { shapeOf } from './shapes.ts';

/**
 * Writes a message in a protocol: as the nearest message that it has, with its own members. Reports what a
 * reader of the value would find changed.
 */
export function writeMessage(to: string, given: Message, writing: Writing): Value {
  const shape = shapeOf(writing.protocols, to) ?? jsonShape;
  const { report } = writing;
  // Writing a message in the protocol that it came from moves nothing, so such reports are discarded.
  const quiet = writing.from === to ? { ...writing, report: new Report() } : writing;
  const sent = shape.nearest?.(given, quiet) ?? given;
  const value = shape.write(sent, quiet);
  if (quiet !== writing) for (const note of quiet.report.notes) report.note(note.message);
  reportLost(to, { given, sent }, value, (each, reading) => shape.read(each, reading), writing);
  return value;
}
