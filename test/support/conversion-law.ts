import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { message, type Message } from '../../core/message/message.ts';
import { Report } from '../../core/message/report.ts';
import { intValue, type Value } from '../../core/values/value.ts';
import { ALL_PROTOCOLS } from '../../protocols/all.ts';
import { Numbering } from '../../protocols/convert/numbering.ts';
import { shapeOf } from '../../protocols/convert/shapes.ts';
import { writeMessage } from '../../protocols/convert/write-message.ts';
import { jsonShape } from '../../protocols/json/shape.ts';
import { isSameValue } from '../../protocols/message/same-value.ts';
import type { ProtocolShape, Reading } from '../../protocols/message/shape.ts';
import { meansSame } from './means-same.ts';

/** The protocols with messages of their own form. */
export const LAW_NAMES = ['mcp', 'aio', 'json-rpc', 'a2a', 'agent-api', 'responses', 'aicl'] as const;
export type LawName = (typeof LAW_NAMES)[number];

const NO_TOOLS = { isComplete: false, tools: new Map() };

/** Reads one message alone, as the first of its text. */
export function readAlone(shape: ProtocolShape, value: Value, report = new Report()): Message | undefined {
  const numbering = new Numbering();
  const reading: Reading = {
    protocols: ALL_PROTOCOLS,
    report,
    tools: NO_TOOLS,
    number: found => {
      const number = numbering.next(found);
      const { id } = found.fields;
      const isOwn = id !== undefined && isSameValue(id, intValue(number));
      return isOwn ? message(found.kind, { ...found.fields, id: undefined }) : found;
    },
  };
  return shape.read(value, reading);
}

function writeAlone(name: LawName, given: Message, report = new Report()): Value {
  return writeMessage(name, given, {
    protocols: ALL_PROTOCOLS,
    report,
    tools: NO_TOOLS,
    id: new Numbering().next(given),
  });
}

/** The law: without a report the message means the same; with a loss it is another one. */
export function checkLaw(name: LawName, given: Message): void {
  const report = new Report();
  const written = writeAlone(name, given, report);
  const back = readAlone(shapeOf(ALL_PROTOCOLS, name) ?? jsonShape, written);
  const isSame = back !== undefined && meansSame(back, given);
  const explain = (): string => inspect([given, written, back, report.losses], { depth: null });
  if (report.losses.length === 0) assert.ok(isSame, `changed in silence\n${explain()}`);
  if (report.losses.some(({ kind }) => kind === 'dropped')) assert.ok(!isSame, `false alarm\n${explain()}`);
}

/** The message without an id that it has anyhow, as readers give messages. */
export function normal(given: Message): Message {
  const number = new Numbering().next(given);
  const { id } = given.fields;
  return id !== undefined && isSameValue(id, intValue(number))
    ? message(given.kind, { ...given.fields, id: undefined })
    : given;
}
