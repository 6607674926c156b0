import type { Message } from '../../core/message/message.ts';
import type { Value } from '../../core/values/value.ts';
import { tellLost } from './check.ts';
import { Report } from '../../core/message/report.ts';
import type { Writing } from '../message/shape.ts';
import { SHAPES, type ShapedName } from './shapes.ts';

/**
 * A message in a protocol: the nearest one that it has, written with its own members. What its reader finds otherwise than
 * it was sent is told.
 */
export function writeMessage(to: ShapedName, given: Message, writing: Writing): Value {
  const shape = SHAPES[to];
  const { report } = writing;
  // What came in this protocol is not moved by being written in it again.
  const quiet = writing.from === to ? { ...writing, report: new Report() } : writing;
  const sent = shape.nearest?.(given, quiet) ?? given;
  const value = shape.write(sent, quiet);
  if (quiet !== writing) for (const note of quiet.report.notes) report.note(note.message);
  tellLost(to, sent, value, (each, reading) => shape.read(each, reading), writing);
  return value;
}
