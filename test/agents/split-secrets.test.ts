import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { CallTracker } from '../../agents/call-tracker.ts';
import { fromByteText, toByteText } from '../../agents/stored-bytes.ts';
import type { TraceEvent } from '../../core/events/events.ts';
import { Redactor } from '../../core/secrets/redact.ts';
import { escapeText } from '../../language/aicl/escapes.ts';
import { encodeField } from '../../language/aicf/codec.ts';
import { ALL_PROTOCOLS } from '../../protocols/all.ts';
import { readParts } from '../../protocols/reply-parts/parts-reader.ts';
import { exportTraceText } from '../../trace/export/export.ts';
import { TRACE_FORMATS } from '../../trace/export/trace-formats.ts';
import { TraceFold } from '../../trace/fold/fold.ts';
import { IS_FULL_SIZE } from '../support/size.ts';

/** A quotation mark, a backslash, a bracket and a bar are escaped in some language; the others have signs of URLs and UTF-8. */
const SECRETS = [
  'sk-proj-1234567890abcdef',
  'p"w\\x/y|z]qv',
  'hunter2-hunter2',
  'ключ-от-всех',
  'https://a.b/?x=1&y=2',
  'aaaaaaaaaab',
];

const SPELLINGS: readonly ((secret: string) => string)[] = [
  secret => secret,
  secret => JSON.stringify(secret),
  secret => JSON.stringify({ a: JSON.stringify({ key: secret }) }),
  secret => JSON.stringify(JSON.stringify(secret)),
  secret => [...secret].map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  secret =>
    [...secret].map(unit => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`).join(''),
  encodeURIComponent,
  secret => encodeURIComponent(secret).toLowerCase(),
  secret => encodeURIComponent(JSON.stringify(secret)),
  secret => encodeURIComponent(encodeURIComponent(secret)),
  secret => Buffer.from(secret).toString('base64'),
  secret => Buffer.from(`x:${secret}`).toString('base64url'),
  secret => Buffer.from(`xy:${secret}:z`).toString('base64'),
  encodeField,
  escapeText,
];

const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;

const responses = (index: number, delta: string, type = 'output_text'): string =>
  event({
    type: `response.${type}.delta`,
    item_id: `i${index}`,
    output_index: index,
    content_index: 0,
    delta,
  });

interface Form {
  readonly protocol: string;
  readonly write: (pieces: readonly string[]) => string;
}

/** The forms of streams in which an agent sends a text in pieces. */
const FORMS: Readonly<Record<string, Form>> = {
  'texts of the Agent API': {
    protocol: 'agent-api',
    write: pieces =>
      pieces
        .map((text, at) =>
          event({
            sequence_number: at,
            object: 'content',
            type: 'text',
            delta: true,
            index: 0,
            msg_id: 'm',
            text,
          }),
        )
        .join(''),
  },
  'arguments of the Agent API': {
    protocol: 'agent-api',
    write: pieces =>
      pieces
        .map(each =>
          event({
            object: 'content',
            type: 'data',
            delta: true,
            index: 0,
            msg_id: 'm',
            data: { arguments: each },
          }),
        )
        .join(''),
  },
  'texts of Responses': {
    protocol: 'responses',
    write: pieces => pieces.map(delta => responses(0, delta)).join(''),
  },
  'arguments of Responses': {
    protocol: 'responses',
    write: pieces => pieces.map(delta => responses(0, delta, 'function_call_arguments')).join(''),
  },
  'texts of Responses, each event in several lines': {
    protocol: 'responses',
    write: pieces =>
      pieces
        .map(delta =>
          JSON.stringify({ type: 'response.output_text.delta', part: { index: 0 }, delta }, undefined, 2),
        )
        .map((json, at) => `id: ${at}\n${json.replaceAll(/^/gm, 'data: ')}\n\n`)
        .join(''),
  },
  'two texts of Responses by turns': {
    protocol: 'responses',
    write: pieces => pieces.map((delta, at) => responses(0, delta) + responses(1, `- ${at} -`)).join(''),
  },
  'artifacts of A2A, with an id in each event': {
    protocol: 'a2a',
    write: pieces =>
      pieces
        .map((text, at) =>
          event({
            jsonrpc: '2.0',
            id: 1,
            result: {
              kind: 'artifact-update',
              taskId: 't',
              contextId: 'c',
              metadata: { eventId: `e${at}` },
              append: at > 0,
              artifact: { artifactId: 'a', parts: [{ kind: 'text', text }] },
            },
          }),
        )
        .join(''),
  },
  'progress of MCP, a line each': {
    protocol: 'mcp',
    write: pieces =>
      pieces
        .map((message, progress) =>
          JSON.stringify({
            jsonrpc: '2.0',
            method: 'notifications/progress',
            params: { progressToken: 1, progress, message },
          }),
        )
        .join('\n'),
  },
  'chunks of AICL': {
    protocol: 'aicl',
    write: pieces =>
      pieces
        .map(
          each =>
            `[d:\n  [s:protocol]:[s:LightAICL],\n  [s:msg_type]:[s:stream_chunk],\n  [s:data]:[s:${escapeText(each)}]\n]\n`,
        )
        .join(''),
  },
  'chunks of AICF': {
    protocol: 'aicf',
    write: pieces => `${pieces.map(each => `STREAM|${encodeField(each)}\n`).join('')}END\n`,
  },
  'events that are plain text': {
    protocol: 'other',
    write: pieces => pieces.map(each => `data: ${each}\n\n`).join(''),
  },
};

/** The words in pieces: cut at each place, and in pieces of one to three characters. */
function cut(word: string): readonly (readonly string[])[] {
  const text = `Here ${word} there`;
  return [
    ...Array.from({ length: text.length - 1 }, (_, at) => [
      'Hello ',
      text.slice(0, at + 1),
      text.slice(at + 1),
      ' bye',
    ]),
    ...[1, 2, 3].map(length => text.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? []),
  ];
}

/**
 * Each secret in each spelling, one secret of a spelling in all pieces, the others in a twentieth of them; in the gate each
 * spelling of one secret in pieces of one kind.
 */
function* listCases(): Generator<{
  secret: string;
  word: string;
  pieces: readonly string[];
  packet: number;
}> {
  for (const [at, spell] of SPELLINGS.entries())
    for (const [place, secret] of SECRETS.entries()) {
      const isMain = place === at % SECRETS.length;
      if (!IS_FULL_SIZE && !isMain) continue;
      const word = spell(secret);
      const all = cut(word);
      const picked = IS_FULL_SIZE
        ? all.filter((_, index) => isMain || (index + at) % 20 === 0)
        : [all[(at * 7 + 9) % all.length] ?? []];
      for (const [index, pieces] of picked.entries())
        yield { secret, word, pieces, packet: [Infinity, 37, 1][(at + index) % 3] ?? 1 };
    }
}

/** The events of a call whose reply arrives in packets of so many bytes. */
function record(secret: string, { protocol }: Form, reply: string, packet: number): readonly TraceEvent[] {
  const events: TraceEvent[] = [];
  const tracking = { emit: (each: TraceEvent) => void events.push(each), now: () => 1 };
  const tracker = new CallTracker('c', tracking, new Redactor([secret]));
  tracker.begin({ trace: 't', agent: 'bot', protocol, title: 'ask' });
  const isEvents = reply.startsWith('data:');
  tracker.head('in', '200 OK', isEvents ? [{ name: 'content-type', value: 'text/event-stream' }] : []);
  const bytes = toByteText(Buffer.from(reply));
  const size = Math.min(packet, bytes.length);
  for (let at = 0; at < bytes.length; at += size)
    tracker.bytes('in', fromByteText(bytes.slice(at, at + size)));
  tracker.end({ status: 'ok' });
  return events;
}

/** What the views and exports show of a call. */
async function show(events: readonly TraceEvent[], form: Form): Promise<readonly string[]> {
  const fold = new TraceFold();
  for (const each of events) fold.add(each);
  const trees = fold.trees();
  const payload = trees[0]?.roots[0]?.payload ?? [];
  const source = { protocols: ALL_PROTOCOLS, trees, payload: () => Promise.resolve(payload) };
  const exported = await Promise.all(TRACE_FORMATS.map(({ name }) => exportTraceText(name, source)));
  const parts = readParts(ALL_PROTOCOLS.find(form.protocol), payload, 'ended');
  return [...exported, JSON.stringify(parts)];
}

describe('A secret that an agent sends in pieces', () => {
  for (const [name, form] of Object.entries(FORMS)) {
    it(`is in no view or export: ${name}`, async function () {
      this.timeout(300_000);
      for (const { secret, word, pieces, packet } of listCases()) {
        const shown = await show(record(secret, form, form.write(pieces), packet), form);
        const all = shown.join('\n');
        const where = `${word} ${JSON.stringify(pieces)}\n${all}`;
        assert.ok(!all.includes(word) && !all.includes(JSON.stringify(word).slice(1, -1)), where);
        assert.ok(all.includes('[redacted]'), where);
      }
    });
  }

  it('is found where it goes on at the beginning of a long string, and where it begins at the end of one', () => {
    const stream = new Redactor(['sk-proj-1234567890abcdef']).openBytes();
    const long = 'text '.repeat(20_000);
    const reply = [
      responses(0, 'this is sk-proj-12'),
      responses(0, `34567890abcdef ${long}sk-pr`),
      responses(0, `oj-1234567890abcdef ${long}`),
    ].join('');
    const shown: string[] = [];
    for (let at = 0; at < reply.length; at += 10_000)
      shown.push(stream.push(reply.slice(at, at + 10_000)).text);
    shown.push(stream.end().text);
    const deltas = [...shown.join('').matchAll(/"delta":"([^"]*)"/g)].map(([, delta = '']) => delta);
    assert.deepEqual(deltas, ['this is [redacted]', `[redacted] ${long}[redacted]`, `[redacted] ${long}`]);
  });

  it('holds back no more of a stream than its bound, and nothing where no secret begins', () => {
    const stream = new Redactor(['sk-proj-1234567890abcdef']).openBytes();
    const text = responses(0, 'some text');
    assert.deepEqual(stream.push(text), { text, redacted: [] });
    const begun = responses(0, 'this is sk-proj-12');
    assert.equal(stream.push(begun).text, begun.slice(0, begun.indexOf('sk-proj')));
    let released = 0;
    const other = event({ type: 'response.in_progress', filler: 'x'.repeat(1000) });
    for (let count = 0; count < 100; count++) released += stream.push(other).text.length;
    assert.ok(released > 0 && stream.held === 0);
    const next = responses(0, '34567890abcdef');
    assert.deepEqual(stream.push(next), { text: next, redacted: [] });
  });
});
