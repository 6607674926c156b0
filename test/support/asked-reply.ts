import { ALL_PROTOCOLS } from '../../protocols/all.ts';
import { protocolOf } from './protocol.ts';
import { ReplyReader } from '../../protocols/convert/calls/reply-reader.ts';
import { ReplyWriter } from '../../protocols/convert/calls/reply-writer.ts';
import type { UnfinishedReply } from '../../protocols/protocol.ts';
import { Report } from '../../core/message/report.ts';
import { message, type Outcome } from '../../core/message/message.ts';
import { textValue } from '../../core/values/value.ts';

const TOOLS = { isComplete: false, tools: new Map() };
const TASK = message('task', { task: textValue('x'), session: textValue('mine') });

interface Shown {
  /** The progress reported while it arrived, piece by piece, and what the end added. */
  readonly pieces: readonly string[];
  readonly text: string;
  readonly notes: readonly string[];
  readonly outcome: Outcome;
  readonly unfinished: UnfinishedReply | undefined;
  readonly work: number;
}

export type Protocol = 'agent-api' | 'responses';

/** Shows a reply whose body comes in these pieces. */
export function show(body: readonly string[], protocol: Protocol, language: 'aicl' | 'aicf' = 'aicl'): Shown {
  const report = new Report();
  const reader = new ReplyReader(protocolOf(protocol), {
    protocols: ALL_PROTOCOLS,
    tools: TOOLS,
    report: report,
  });
  const writer = new ReplyWriter(language, TASK, { protocols: ALL_PROTOCOLS, tools: TOOLS, report: report });
  const pieces = body.map(piece => writer.write(reader.push(piece)).join(''));
  pieces.push(writer.write(reader.end()).join('') + writer.end());
  return {
    pieces: pieces.filter(piece => piece !== ''),
    text: pieces.join(''),
    notes: report.notes.map(note => note.message),
    outcome: reader.outcome,
    unfinished: reader.unfinished,
    work: reader.work,
  };
}

/** A stream of events as the runtime sends them: data alone. */
export function sse(events: readonly unknown[]): string {
  return events.map(event => `data: ${JSON.stringify(event)}\n\n`).join('');
}

export const response = (status: string, more: object = {}): object => ({
  object: 'response',
  status,
  id: 'r1',
  ...more,
});
export const opened = (id: string, type = 'message'): object => ({
  object: 'message',
  status: 'in_progress',
  id,
  type,
  role: 'assistant',
  content: null,
});
export const said = (text: string, id: string | null = 'm1', more: object = {}): object => ({
  object: 'content',
  status: 'in_progress',
  type: 'text',
  index: 0,
  delta: true,
  msg_id: id,
  text,
  ...more,
});
export const data = (value: object, id: string, more: object = {}): object => ({
  object: 'content',
  status: 'in_progress',
  type: 'data',
  index: 0,
  delta: true,
  msg_id: id,
  data: value,
  ...more,
});
export const closed = (id: string, type = 'message', content: unknown = null): object => ({
  object: 'message',
  status: 'completed',
  id,
  type,
  role: 'assistant',
  content,
});

/** The beginning of a message that grows, in the session that was asked in. */
export const HEAD =
  '[d:\n  [s:protocol]:[s:LightAICL],\n  [s:session_id]:[s:mine],\n  [s:msg_type]:[s:result],\n';

export function numbered(events: readonly object[]): readonly object[] {
  return events.map((event, sequence_number) => ({ sequence_number, ...event }));
}
