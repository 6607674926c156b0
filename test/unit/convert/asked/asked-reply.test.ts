import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { readMessages } from '../../../../protocols/convert/read-text.ts';
import { Report } from '../../../../core/message/report.ts';
import { parseAicl } from '../../../../language/aicl/parse.ts';
import { DEFAULT_SETTINGS } from '../../../../core/catalog/settings.ts';
import { checkAiclUnit } from '../../../../language/rules/aicl/unit.ts';
import { textIn } from '../../../../core/values/value.ts';
import { anyCharacter } from '../../../support/any-character.ts';
import {
  closed,
  data,
  HEAD,
  numbered,
  opened,
  response,
  said,
  show,
  sse,
} from '../../../support/asked-reply.ts';
import { runs, sized } from '../../../support/size.ts';

const TEAM = numbered([
  response('created'),
  response('in_progress'),
  opened('t1', 'reasoning'),
  said('Let me ', 't1'),
  said('see.', 't1'),
  closed('t1', 'reasoning'),
  opened('m1'),
  said('It is'),
  said(' sunny.'),
  closed('m1'),
  opened('c1', 'plugin_call'),
  data({ call_id: 'k1', name: 'look', arguments: '' }, 'c1'),
  opened('c2', 'plugin_call'),
  data({ call_id: 'k2', name: 'count', arguments: '{"a"' }, 'c2'),
  data({ call_id: 'k1', name: 'look', arguments: '{"at":"sky"}' }, 'c1', { index: 1, status: 'completed' }),
  data({ call_id: 'k2', name: 'count', arguments: ':1}' }, 'c2'),
  { object: 'message', type: 'heartbeat', status: 'completed', id: 'h', content: null },
  {
    ...opened('o1', 'plugin_call_output'),
    status: 'completed',
    role: 'tool',
    content: [{ type: 'data', data: { call_id: 'k9', output: '5' } }],
  },
  opened('m2'),
  said('Look: ', 'm2'),
  {
    object: 'content',
    status: 'completed',
    type: 'image',
    index: 1,
    delta: false,
    msg_id: 'm2',
    image_url: 'data:image/png;base64,AA==',
  },
  closed('m2'),
  response('completed', { usage: { output_tokens: 9 } }),
]);

const TEAM_TEXT = `${HEAD}  [s:reasoning]:[s:Let me see.],
  [s:data]:[s:It is sunny.

Look: ],
  [s:metadata]:[d:
    [s:id]:[s:r1],
    [s:usage]:[d:[s:output_tokens]:[i:9]],
    [s:output]:[l:
      [d:[s:id]:[s:t1],[s:type]:[s:reasoning]],
      [d:[s:id]:[s:m1],[s:type]:[s:message],[s:role]:[s:assistant]],
      [d:
        [s:id]:[s:c1],
        [s:status]:[s:in_progress],
        [s:type]:[s:plugin_call],
        [s:call_id]:[s:k1],
        [s:name]:[s:look],
        [s:arguments]:[s:{"at":"sky"}]
      ],
      [d:
        [s:id]:[s:c2],
        [s:status]:[s:in_progress],
        [s:type]:[s:plugin_call],
        [s:call_id]:[s:k2],
        [s:name]:[s:count],
        [s:arguments]:[s:{"a":1}]
      ],
      [d:[s:id]:[s:o1],[s:type]:[s:plugin_call_output],[s:call_id]:[s:k9],[s:output]:[s:5]],
      [d:
        [s:id]:[s:m2],
        [s:type]:[s:message],
        [s:role]:[s:assistant],
        [s:content]:[l:
          [d:[s:type]:[s:text]],
          [d:[s:type]:[s:image],[s:data]:[s:AA==],[s:mimeType]:[s:image/png]]
        ]
      ]
    ]
  ]
]
`;

describe('a reply that is shown while it comes', () => {
  it('is one message that grows: thoughts, texts, then all else in order', () => {
    const shown = show(
      TEAM.map(event => sse([event])),
      'agent-api',
    );
    assert.equal(shown.text, TEAM_TEXT);
    assert.deepEqual(shown.pieces.slice(0, 5), [
      `${HEAD}  [s:reasoning]:[s:Let me `,
      'see.',
      '],\n  [s:data]:[s:It is',
      ' sunny.',
      '\n\nLook: ',
    ]);
    assert.deepEqual(
      [shown.notes, shown.outcome, shown.unfinished],
      [['The output of a call belongs to no call of this response'], { kind: 'result' }, undefined],
    );
  });

  it('is the same wherever its bytes are cut, with every line end', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const body = `\u{feff}: hello${end}${end}${sse(TEAM).replaceAll('\n', end)}data: [DONE]${end}${end}`;
      for (const language of ['aicl', 'aicf'] as const) {
        const whole = show([body], 'agent-api', language);
        for (const size of [1, 7, 2, 3, 64].slice(0, sized(5, 2))) {
          const pieces = body.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
          assert.deepEqual({ ...show(pieces, 'agent-api', language), pieces: [] }, { ...whole, pieces: [] });
        }
      }
    }
  });

  it('any texts in any pieces: what is shown only grows, is valid and reads back as what was said', () => {
    const text = fc.array(
      fc.oneof(
        fc.string({ unit: anyCharacter, maxLength: 4 }),
        fc.constantFrom('\\', ']', '\r', '\n', '\ud83d', '\ude00', '[s:', '\\]', '|'),
      ),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(text, fc.constantFrom('agent-api', 'responses'), (pieces, protocol) => {
        const all = pieces.join('');
        const events =
          protocol === 'agent-api'
            ? [
                response('created'),
                ...pieces.map(each => said(each)),
                response('completed', { output: [closed('m1', 'message', [{ type: 'text', text: all }])] }),
              ]
            : [
                ...pieces.map(delta => ({
                  type: 'response.output_text.delta',
                  item_id: 'm1',
                  output_index: 0,
                  content_index: 0,
                  delta,
                })),
                {
                  type: 'response.completed',
                  response: response('completed', {
                    output: [
                      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: all }] },
                    ],
                  }),
                },
              ];
        for (const language of ['aicl', 'aicf'] as const) {
          const shown = show(
            events.map(event => sse([event])),
            protocol,
            language,
          );
          if (language === 'aicl') {
            const doc = parseAicl(shown.text, DEFAULT_SETTINGS, checkAiclUnit);
            assert.deepEqual(
              [...doc.units].flatMap(unit => unit.issues.filter(({ severity }) => severity === 'error')),
              [],
            );
          }
          const back = readMessages(shown.text, {
            protocols: ALL_PROTOCOLS,
            from: language,
            report: new Report(),
          }).messages;
          assert.equal(back.length, 1);
          const read = textIn(back[0]?.message.fields.data);
          // AICF cannot send a CR, nor AICL half of a character; AICF reads what looks like JSON as JSON.
          const sent =
            language === 'aicl' ? all.replace(/\p{Surrogate}/gu, '\ufffd') : all.replace(/\r\n?/g, '\n');
          if (all !== '' && !(language === 'aicf' && read === undefined)) assert.equal(read, sent);
        }
      }),
      { numRuns: runs(300) },
    );
  });

  const AICF_TEAM =
    'Beside its text the reply has id, usage, 1 × reasoning, 2 × plugin_call, 1 × plugin_call_output, 1 × image: they are only in the raw reply, because AICF has no place for them';

  it('in AICF is its text, and anything else is reported', () => {
    const shown = show([sse(TEAM)], 'agent-api', 'aicf');
    assert.deepEqual(
      [shown.text, shown.notes],
      [
        'OK|It is sunny.\\n\\nLook: \n',
        ['The output of a call belongs to no call of this response', AICF_TEAM],
      ],
    );
  });

  it('does not say its text once more where the last event carries the whole', () => {
    const output = [closed('m1', 'message', [{ type: 'text', text: 'Hello there' }])];
    const shown = show(
      sse([response('created'), said('Hello'), response('completed', { output })]).split(/(?<=\n\n)/),
      'agent-api',
    );
    assert.deepEqual(shown.pieces, [
      `${HEAD}  [s:data]:[s:Hello`,
      ' there],\n  [s:metadata]:[d:[s:id]:[s:r1],[s:output]:[l:[d:[s:id]:[s:m1]]]]\n]\n',
    ]);
  });

  it('keeps what was shown where the agent says something else in the end, and says so', () => {
    const output = [closed('m1', 'message', [{ type: 'text', text: 'Goodbye' }])];
    const shown = show(
      sse([response('created'), said('Hello'), response('completed', { output })]).split(/(?<=\n\n)/),
      'agent-api',
    );
    assert.equal(
      shown.text,
      `${HEAD}  [s:data]:[s:Hello],\n  [s:metadata]:[d:[s:id]:[s:r1],[s:output]:[l:[s:Goodbye],[d:[s:id]:[s:m1]]]]\n]\n`,
    );
  });

  it('a reply without a text is its items', () => {
    const call = [
      opened('c1', 'function_call'),
      data({ call_id: 'k', name: 'f', arguments: '{}' }, 'c1'),
      closed('c1', 'function_call'),
    ];
    const events = [response('created'), ...call, response('completed')];
    assert.equal(
      show([sse(events)], 'agent-api', 'aicf').text,
      'OK|[{"id":"c1","type":"function_call","call_id":"k","name":"f","arguments":"{}"}]\n',
    );
  });

  it('a whole body is shown as the stream of it', () => {
    const output = [closed('m1', 'message', [{ type: 'text', text: 'Hello' }])];
    const whole = response('completed', { output });
    const streamed = sse([response('created'), said('Hel'), said('lo'), whole]);
    assert.equal(show([JSON.stringify(whole)], 'agent-api').text, show([streamed], 'agent-api').text);
  });
});
