import { ALL_PROTOCOLS } from '../../protocols/all.ts';
import assert from 'node:assert/strict';
import { CONVERSIONS } from '../../core/catalog/conversions.ts';
import { meansSame } from './means-same.ts';
import { shapeOf } from '../../protocols/convert/shapes.ts';
import { writeMessage } from '../../protocols/convert/write-message.ts';
import { printJson } from '../../language/values/json-printer.ts';
import { readJsonPieces } from '../../language/values/json-reader.ts';
import { Report } from '../../core/message/report.ts';
import type { ProtocolShape } from '../../protocols/message/shape.ts';
import { TextSink } from '../../language/values/text-layer.ts';
import type { MessageKind } from '../../core/catalog/message-kinds.ts';
import { message, type Message } from '../../core/message/message.ts';
import { intValue, type Value } from '../../core/values/value.ts';
import { isSameValue } from '../../protocols/message/same-value.ts';

const TOOLS = { isComplete: false, tools: new Map() };

/** The value of a JSON text. */
export function parse(text: string): Value {
  const { pieces, faults } = readJsonPieces(text);
  const [piece] = pieces;
  assert.ok(piece && pieces.length === 1 && faults.length === 0, text);
  return piece.value;
}

function print(value: Value): string {
  const sink = new TextSink();
  printJson(value, sink, 'compact');
  return sink.toString();
}

/** A message from its kind and the JSON of its fields. */
export function neutral(kind: MessageKind, json: object): Message {
  const fields = parse(JSON.stringify(json));
  assert.ok(fields.kind === 'dict');
  return message(kind, Object.fromEntries(fields.entries.map(({ key, value }) => [key, value])));
}

/** The message that a text says in a protocol; its id is left out where it is 1. */
export function readIn(shape: ProtocolShape, text: string): Message | undefined {
  return shape.read(parse(text), {
    protocols: ALL_PROTOCOLS,
    report: new Report(),
    tools: TOOLS,
    number: found =>
      found.fields.id && isSameValue(found.fields.id, intValue(1))
        ? message(found.kind, { ...found.fields, id: undefined })
        : found,
  });
}

/** A message as a text of a protocol, and the reports about that. */
export function writeIn(
  shape: ProtocolShape,
  given: Message,
  from?: string,
): { text: string; reported: readonly string[] } {
  const report = new Report();
  const text = print(
    writeMessage(nameOf(shape), given, { protocols: ALL_PROTOCOLS, report, tools: TOOLS, id: 1, from }),
  );
  const losses = report.losses.map(({ kind, path }) => `${kind} ${path}`.trimEnd());
  return { text, reported: [...losses, ...report.notes.map(note => note.message)] };
}

function nameOf(shape: ProtocolShape): string {
  const row = CONVERSIONS.find(({ name }) => shapeOf(ALL_PROTOCOLS, name) === shape);
  assert.ok(row && row.name !== 'aicf');
  return row.name;
}

/** A message of a protocol, and what it is read as. */
export interface Example {
  readonly it: string;
  readonly text: object;
  readonly kind: MessageKind;
  readonly fields: object;
  /** What is written, where it is not the text again. */
  readonly written?: object;
  readonly reported?: readonly string[];
  /** False for a text that could be of another protocol over JSON-RPC as well. */
  readonly isPlain?: true;
}

/** Holds a protocol to an example, both ways. */
export function checkExample(shape: ProtocolShape, example: Example): void {
  const text = JSON.stringify(example.text);
  const expected = neutral(example.kind, example.fields);
  assert.deepEqual(readIn(shape, text), expected);
  const { text: written, reported } = writeIn(shape, expected, nameOf(shape));
  assert.equal(written, JSON.stringify(example.written ?? example.text));
  assert.deepEqual(reported, example.reported ?? []);
  assert.deepEqual(readIn(shape, written), expected);
  assert.equal(shape.recognises(parse(text)), example.isPlain !== true);
}

/** A message of another protocol, and what it is in this one. */
export interface ForeignExample {
  readonly it: string;
  readonly given: Message;
  readonly text: object;
  readonly reported?: readonly string[];
}

/** Holds a protocol to such an example: without a report it means the same when it is read. */
export function checkForeign(
  shape: ProtocolShape,
  { given, text, reported: reported = [] }: ForeignExample,
): void {
  const written = writeIn(shape, given);
  assert.equal(written.text, JSON.stringify(text));
  assert.deepEqual(written.reported, reported);
  const read = readIn(shape, written.text);
  const isReported = reported.some(line => /^(?:dropped|moved|guessed|rounded)/.test(line));
  if (!isReported) assert.ok(read && meansSame(read, given), written.text);
}
