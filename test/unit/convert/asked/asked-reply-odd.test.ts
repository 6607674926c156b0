import { readJsonPieces } from '../../../../language/values/json-reader.ts';
import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import { protocolOf } from '../../../support/protocol.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ReplyReader } from '../../../../protocols/convert/calls/reply-reader.ts';
import { NO_TOOLS } from '../../../../language/tools.ts';
import { Report } from '../../../../core/message/report.ts';
import { findEntry } from '../../../../core/values/value.ts';
import {
  closed,
  numbered,
  opened,
  type Protocol,
  response,
  said,
  show,
  sse,
} from '../../../support/asked-reply.ts';
import { sized } from '../../../support/size.ts';

describe('an event after the end of a response', () => {
  const late: Readonly<Record<string, object>> = {
    'a content': said('late', 'm2'),
    'a message': opened('m2'),
    'a response': response('in_progress'),
  };
  for (const [name, event] of Object.entries(late))
    it(`is a note, and the response is shown: ${name}`, () => {
      const before = [response('created'), opened('m1'), said('So'), closed('m1'), response('completed')];
      const { text, notes } = show([sse([...before, event])], 'agent-api', 'aicf');
      assert.match(text, /^OK\|So/);
      assert.ok(notes.includes('An event came after the response had ended'), notes.join('\n'));
    });
});

describe('how a response ends', () => {
  const ends: readonly (readonly [
    name: string,
    protocol: Protocol,
    body: string,
    outcome: unknown,
    unfinished: unknown,
  ])[] = [
    [
      'failed',
      'agent-api',
      sse([
        response('created'),
        said('So'),
        response('failed', { error: { code: '429', message: 'Too much' } }),
      ]),
      { kind: 'error', protocol: 'agent-api', code: '429', meaning: undefined, text: 'Too much' },
      undefined,
    ],
    [
      'a failure of the transport',
      'agent-api',
      sse([{ error: 'no model' }]),
      { kind: 'error', protocol: 'agent-api', code: undefined, meaning: undefined, text: 'no model' },
      undefined,
    ],
    [
      'rejected',
      'agent-api',
      sse([response('created'), response('rejected')]),
      {
        kind: 'error',
        protocol: 'agent-api',
        code: 'rejected',
        meaning: undefined,
        text: 'The agent ended with the status rejected',
      },
      undefined,
    ],
    [
      'canceled',
      'agent-api',
      sse([response('created'), said('So'), response('canceled')]),
      {
        kind: 'error',
        protocol: 'agent-api',
        code: 'canceled',
        meaning: undefined,
        text: 'The agent ended with the status canceled',
      },
      {
        status: 'cancelled',
        code: 'canceled',
        message: 'The agent cancelled the response; the received part is stored',
      },
    ],
    [
      'incomplete',
      'responses',
      sse([
        {
          type: 'response.incomplete',
          response: response('incomplete', {
            incomplete_details: { reason: 'max_output_tokens' },
            output: [],
          }),
        },
      ]),
      { kind: 'result' },
      {
        status: 'incomplete',
        code: 'max_output_tokens',
        message:
          'The agent ended the response before it was complete (max_output_tokens); the received part is stored',
      },
    ],
    [
      'cut',
      'agent-api',
      sse([response('created'), said('So')]),
      { kind: 'result' },
      {
        status: 'incomplete',
        message:
          'The stream ended before its last event; the received part is stored, send again for the rest',
      },
    ],
    [
      'a queued response that is no stream',
      'responses',
      JSON.stringify(response('queued', { model: 'x', output: [] })),
      { kind: 'result' },
      {
        status: 'incomplete',
        code: 'queued',
        message: 'The response is queued and not complete; the received part is stored',
      },
    ],
    [
      'an error of the API itself',
      'responses',
      sse([{ type: 'error', code: 'rate_limit', message: 'Wait', param: null, sequence_number: 3 }]),
      { kind: 'error', protocol: 'responses', code: 'rate_limit', meaning: undefined, text: 'Wait' },
      undefined,
    ],
  ];
  for (const [name, protocol, body, outcome, unfinished] of ends) {
    it(name, () => {
      const shown = show([body], protocol);
      assert.deepEqual([shown.outcome, shown.unfinished], [outcome, unfinished]);
      const brief = new ReplyReader(
        protocolOf(protocol),
        { protocols: ALL_PROTOCOLS, tools: NO_TOOLS, report: new Report() },
        'outcome',
      );
      const parts = brief.push(body);
      brief.end();
      assert.deepEqual([brief.outcome, brief.unfinished, parts], [outcome, unfinished, []]);
    });
  }

  it('who wants the outcome alone keeps nothing of what a response says', () => {
    const item = {
      id: 'm',
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'So' }],
    };
    const bodies: readonly (readonly [Protocol, string])[] = [
      [
        'agent-api',
        sse([response('created'), said('So'), response('completed', { output: [closed('m1')] })]),
      ],
      [
        'responses',
        sse([
          { type: 'response.output_item.added', output_index: 0, item },
          { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'So' },
          { type: 'response.completed', response: response('completed', { output: [item] }) },
        ]),
      ],
    ];
    for (const [protocol, body] of bodies) {
      const stored = (['all', 'outcome'] as const).map(keeps => {
        const reader = new ReplyReader(
          protocolOf(protocol),
          { protocols: ALL_PROTOCOLS, tools: NO_TOOLS, report: new Report() },
          keeps,
        );
        reader.push(body);
        reader.end();
        const fold = protocolOf(protocol).replies.openFold?.(keeps);
        for (const { value } of readJsonPieces(body).pieces) fold?.push(value);
        const output = findEntry(fold?.whole(), 'output');
        return [reader.isProtocol, reader.isOver, output?.kind === 'list' && output.items.length];
      });
      assert.deepEqual(stored, [
        [true, true, 1],
        [true, true, 0],
      ]);
    }
  });
});

describe('odd streams', () => {
  const begin = response('created');
  const end = response('completed');
  /** The text of a reply to these events, and what is noted. */
  const reported = (events: readonly object[], protocol: Protocol = 'agent-api'): readonly unknown[] => {
    const { text, notes } = show([sse(events)], protocol, 'aicf');
    return [text, notes.filter(note => !note.startsWith('Beside'))];
  };

  it('events with different numbers count in the order of these', () => {
    const [a, b, c, d] = numbered([begin, said('p'), said('q'), end]);
    assert.ok(a && b && c && d);
    assert.deepEqual(reported([a, c, b, d]), ['OK|pq\n', []]);
    assert.deepEqual(reported([a, c, d]), [
      'OK|q\n',
      ['The numbers of its events have gaps: some may be missing'],
    ]);
    assert.deepEqual(reported([a, b, { ...c, sequence_number: 1 }, d]), [
      'OK|pq\n',
      ['The numbers of its events repeat or go back; they are shown in the order in which they came'],
    ]);
  });

  it('a number that never comes holds nothing up for long', () => {
    const events = Array.from({ length: 300 }, (_, at) => ({ sequence_number: at * 2, ...said('x') }));
    const shown = show(
      events.map(event => sse([event])),
      'agent-api',
      'aicf',
    );
    assert.deepEqual([shown.text, shown.pieces.length > 150], [`OK|${'x'.repeat(300)}\n`, true]);
  });

  it('content without a message, and after its message', () => {
    assert.deepEqual(reported([begin, said('a', null), said('b', null), closed('m1'), end]), [
      'OK|ab\n',
      [
        'A content belongs to no message that is open and was put into a new one',
        'A content does not name its message and was put into the one written last',
      ],
    ]);
    assert.deepEqual(reported([begin, opened('m1'), said('a'), closed('m1'), said('b'), closed('m1'), end]), [
      'OK|ab\n',
      ['A content came for a message that had ended', 'An event came for a message that had ended'],
    ]);
    assert.deepEqual(
      reported([begin, said('a', 'm1', { index: null }), said('b', 'm1', { index: null }), end]),
      ['OK|ab\n', ['A content does not say which of its message it is (2 times)']],
    );
  });

  it('two texts that come at once are shown one after the other', () => {
    const events = [
      begin,
      opened('m1'),
      opened('m2'),
      said('a', 'm1'),
      said('x', 'm2'),
      said('b', 'm1'),
      closed('m1'),
      said('y', 'm2'),
      closed('m2'),
      end,
    ];
    const shown = show(
      events.map(event => sse([event])),
      'agent-api',
      'aicf',
    );
    assert.deepEqual(shown.pieces, ['OK|a', 'b', '\\n\\nx', 'y', '\n']);
  });

  it('a whole that differs from its pieces counts, with a note', () => {
    const whole = { ...said('abd'), status: 'completed', delta: false };
    assert.deepEqual(reported([begin, said('ab'), whole, closed('m1'), end]), [
      'OK|abd\n',
      ['A content differs from its chunks; the complete one counts'],
    ]);
  });

  it('what is no event is counted', () => {
    const body = `hello\n\ndata: {"a":1}\n\ndata: nothing {\n\n${sse([begin, said('a'), end])}`;
    const { notes } = show([`event: x\n${body}`], 'agent-api', 'aicf');
    assert.deepEqual(
      notes.filter(note => !note.startsWith('Beside')),
      [
        "1 of the stream's events are not JSON; they are only in the raw reply",
        "1 of the stream's lines belong to no event; they are only in the raw reply",
        'An event is neither response nor message nor content',
      ],
    );
  });

  it('a text that looks like JSON is shown as it arrives, with a note', () => {
    assert.deepEqual(reported([begin, said('1'), said('2'), end]), [
      'OK|12\n',
      ['The text of the reply looks like JSON, and is read as that in AICF'],
    ]);
  });

  it('items of Responses that a cut left open are folded from their pieces', () => {
    const at = { output_index: 0, item_id: 'f1' };
    const events = [
      { type: 'response.created', response: response('in_progress', { output: [] }) },
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { id: 'f1', type: 'function_call', call_id: 'c', name: 'f', arguments: '' },
      },
      { type: 'response.function_call_arguments.delta', ...at, delta: '{"a"' },
      { type: 'response.function_call_arguments.delta', ...at, delta: ':1}' },
      {
        type: 'response.output_item.added',
        output_index: 1,
        item: { id: 'm', type: 'message', role: 'assistant', content: [] },
      },
      {
        type: 'response.content_part.added',
        output_index: 1,
        item_id: 'm',
        content_index: 0,
        part: { type: 'refusal', refusal: '' },
      },
      { type: 'response.refusal.delta', output_index: 1, item_id: 'm', content_index: 0, delta: 'No.' },
      {
        type: 'response.reasoning_summary_text.delta',
        output_index: 2,
        item_id: 'r',
        summary_index: 0,
        delta: 'Hm',
      },
      { type: 'response.web_search_call.searching', output_index: 3, item_id: 'w' },
    ];
    const shown = show([sse(events)], 'responses', 'aicf');
    assert.equal(
      shown.text,
      'OK|[{"id":"f1","type":"function_call","call_id":"c","name":"f","arguments":"{\\\\"a\\\\":1}"},{"id":"m","type":"message","role":"assistant","content":[{"type":"refusal","text":"No."}]},{"type":"reasoning","summary":[{"type":"summary_text","text":"Hm"}]}]\n',
    );
    assert.ok(
      shown.notes.includes('Events of the type response.web_search_call.searching are only in the raw reply'),
    );
  });

  it('an agent that goes on after it was answered gives two messages', () => {
    const first = [begin, said('May I?'), end];
    const second = [{ ...begin, id: 'r2' }, said('Thanks', 'm9'), { ...end, id: 'r2' }];
    assert.equal(show([sse([...first, ...second])], 'agent-api', 'aicf').text, 'OK|May I?\nOK|Thanks\n');
  });

  it('the work is that of the length, however small the pieces', () => {
    const one = sse([begin, said('x'.repeat(sized(200_000))), end]);
    const many = sse([begin, ...Array.from({ length: sized(20_000) }, () => said('\\')), end]);
    for (const body of [one, many]) {
      const shown = show(body.match(/[^]{1,5}/g) ?? [], 'agent-api');
      assert.ok(shown.work <= body.length * 2, `${shown.work} of ${body.length}`);
    }
  });
});
