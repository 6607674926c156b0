import { message, type Message } from '../../../core/message/message.ts';
import {
  dictValue,
  findEntry,
  listValue,
  textIn,
  textValue,
  type Value,
} from '../../../core/values/value.ts';
import { canonical } from '../../../protocols/content/canonical.ts';
import { flattened } from '../../../protocols/content/flatten.ts';
import { readError, writeError } from '../../../protocols/errors/errors.ts';
import { carrySession } from '../../../protocols/message/carry-session.ts';
import { Members } from '../../../protocols/message/members.ts';
import { asResult } from '../../../protocols/message/nearest.ts';
import type { ProtocolShape, Reading, StreamReader, Writing } from '../../../protocols/message/shape.ts';
import type { Protocol } from '../../../protocols/protocol.ts';
import { JsonParts, type ValueParts } from '../../../protocols/reply-parts/json-parts.ts';
import { PieceTimes, type TimeSpan } from '../../../protocols/reply-parts/piece-times.ts';
import type { BodyList } from '../../../protocols/reply-parts/body-parts.ts';
import { toSchemaTool } from '../../../protocols/tools/tool-schema.ts';

/*
 * A protocol of this test's own. Requests: {"do": TOOL, "with": ARGUMENTS}, {"tools": null} and {"say": TEXT}, each with
 * "room": SESSION and "ticket": CREDENTIAL where there is one. Replies: {"done": DATA}, {"tools": [TOOL…]},
 * {"failed": {"code", "why", "more"}}, or events {"part": TEXT} and {"over": true}.
 */

const SIGNS = ['do', 'say', 'done', 'failed', 'part', 'over', 'tools'];

const shape: ProtocolShape = {
  recognises: value => value.kind === 'dict' && SIGNS.some(sign => findEntry(value, sign) !== undefined),
  read,
  nearest: (given, { report }) => canonical(flattened(nearest(given, report), 'TOY', report)),
  write,
  stream: { recognises: isEvent, reader: openStream },
};

function nearest(given: Message, report: Writing['report']): Message {
  const isKnown = ['call', 'list', 'task', 'error'].includes(given.kind);
  return isKnown ? given : asResult(given, 'TOY', report);
}

function read(value: Value, reading: Reading): Message | undefined {
  const members = new Members(value);
  const session = members.take('room');
  const found = readKind(members, reading);
  return found && reading.number(message(found.kind, { ...found.fields, session }));
}

function readKind(members: Members, reading: Reading): Message | undefined {
  const tool = members.take('do');
  if (tool) return message('call', { tool, arguments: members.take('with') ?? dictValue([]) });
  const task = members.take('say');
  if (task) return message('task', { task });
  const tools = members.take('tools');
  if (tools) return tools.kind === 'list' ? message('result', { tools }) : message('list', {});
  const failed = members.take('failed');
  if (failed) {
    const found = {
      code: findEntry(failed, 'code'),
      text: findEntry(failed, 'why'),
      data: findEntry(failed, 'more'),
    };
    return message('error', { ...readError('toy', found, reading) });
  }
  const data = members.take('done');
  return data && message('result', { data });
}

function write({ kind, fields }: Message, writing: Writing): Value {
  const room = { key: 'room', value: fields.session };
  const entry = (key: string, value: Value): Value => dictValue([{ key, value }, room]);
  switch (kind) {
    case 'call':
      return dictValue([
        { key: 'do', value: fields.tool ?? textValue('') },
        { key: 'with', value: fields.arguments ?? dictValue([]) },
        room,
      ]);
    case 'list':
      return entry('tools', { kind: 'null' });
    case 'task':
      return entry('say', fields.task ?? textValue(''));
    case 'error': {
      const { code, text, data } = writeError(fields, 'toy', writing);
      const failed = dictValue([
        { key: 'code', value: code },
        { key: 'why', value: textValue(text) },
        { key: 'more', value: data },
      ]);
      return entry('failed', failed);
    }
    default: {
      const tools =
        fields.tools?.kind === 'list' ? fields.tools.items.flatMap(each => toSchemaTool(each) ?? []) : [];
      return fields.tools ? entry('tools', listValue(tools)) : entry('done', fields.data ?? { kind: 'null' });
    }
  }
}

function isEvent(value: Value): boolean {
  return (findEntry(value, 'part') ?? findEntry(value, 'over')) !== undefined;
}

function openStream(reading: Reading): StreamReader {
  return {
    push(event) {
      const text = findEntry(event, 'part');
      const session = findEntry(event, 'room');
      return [reading.number(text ? message('chunk', { data: text, session }) : message('end', { session }))];
    },
    end: () => [],
  };
}

/** The parts of a reply: its text as it grows, or its data. */
class ToyParts implements ValueParts {
  readonly #texts: string[] = [];
  readonly #times = new PieceTimes();

  take(value: Value, span: TimeSpan): void {
    const text = textIn(findEntry(value, 'part')) ?? textIn(findEntry(value, 'done'));
    if (text === undefined) return;
    this.#texts.push(text);
    this.#times.add(span);
  }

  list(): BodyList {
    const text = this.#texts.join('');
    const part = { key: 'answer', kind: 'message', status: 'ok', times: this.#times, text } as const;
    return { parts: text === '' ? [] : [part], notes: [] };
  }
}

const TICKET = /"ticket"\s*:\s*"([^"\\]+)"/g;

/** JSON over HTTP with a streamed form, errors, a session and a credential in its messages. */
export const TOY: Protocol = {
  facts: {
    name: 'toy',
    title: 'Toy 1.0',
    short: 'TOY',
    language: 'json',
    stream: undefined,
    contentType: 'application/json',
    accept: 'application/json, text/event-stream',
    replyTypes: ['application/json', 'text/event-stream'],
    types: ['http'],
    offer: { label: 'Ninth agent', detail: 'an agent of the ninth protocol' },
    sampleAddress: 'http://localhost:1234/',
    errors: { column: 'http' },
  },
  shape,
  order: 0,
  requests: {
    title: value => textIn(findEntry(value, 'do')) ?? (findEntry(value, 'say') ? 'say' : 'tools'),
    session: (_headers, value) => textIn(findEntry(value, 'room')),
    findSecrets: text => [...text.matchAll(TICKET)].flatMap(([, ticket]) => ticket ?? []),
  },
  replies: { openParts: () => new JsonParts(new ToyParts()) },
  calls: { answers: ['call', 'list', 'task'] },
  conversations: {
    carryOn: carrySession,
    readCarried: (value, before) => ({ session: textIn(findEntry(value, 'room')) || before.session }),
  },
  refuse: ({ session }, code, why) => ({
    line: '200 OK',
    contentType: 'application/json',
    body: JSON.stringify({ failed: { code, why }, ...(session === undefined ? {} : { room: session }) }),
  }),
};
