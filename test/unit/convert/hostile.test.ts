import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { CONVERSIONS, type ConversionName } from '../../../core/catalog/conversions.ts';
import { convertText, type Converted } from '../../../protocols/convert/convert.ts';
import { message } from '../../../core/message/message.ts';
import { dictValue, intValue, listValue, textValue, type Value } from '../../../core/values/value.ts';
import { areSameMessages, NO_TOOLS, readIn, settleIn } from '../../support/conversions.ts';
import { anyValue } from '../../support/message-arbitrary.ts';
import { runs, sized } from '../../support/size.ts';

const NAMES = CONVERSIONS.map(({ name }) => name);

/** Requests and replies of each protocol, as its agents write them. Each scalar that begins with `q` occurs once. */
const SAMPLES: Readonly<Record<ConversionName, string>> = {
  aicl:
    '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:q1],[s:msg_type]:[s:tool_call],[s:tool]:[s:q2],[s:params]:[d:[s:city]:[s:q3],[s:days]:[i:70001]]]\n' +
    '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:q4],[s:msg_type]:[s:result],[s:data]:[l:[s:q5],[f:2.5]],[s:extra]:[s:q6]]\n',
  aicf: 'CALL|q1|q2|70001\nOK|{"a":"q3","b":[70002]}\nERR|404|q4\nSTREAM|q5\nEND\n',
  'json-rpc':
    '{"jsonrpc":"2.0","id":"q1","method":"aip.tool.invoke","params":{"tool":"q2","arguments":{"city":"q3"},"extra":"q4"}}\n' +
    '{"jsonrpc":"2.0","id":"q1b","result":{"success":true,"data":"q5"},"extra":70001}\n',
  aio:
    '{"jsonrpc":"2.0","id":"q1","method":"agent::tools.call","params":{"tool":"q2","args":{"city":"q3"}},"trace_id":"AIO-TR-20260101-0001","extra":"q4"}\n' +
    '{"jsonrpc":"2.0","id":"q1b","trace_id":"q6","output":{"type":"text","value":"q5"}}\n',
  mcp:
    '{"jsonrpc":"2.0","id":"q1","method":"tools/call","params":{"name":"q2","arguments":{"city":"q3"},"_meta":{"extra":"q4"}}}\n' +
    '{"jsonrpc":"2.0","id":"q1b","result":{"content":[{"type":"text","text":"q5"}],"isError":false,"extra":70001}}\n',
  'agent-api':
    '{"input":[{"role":"user","type":"message","content":[{"type":"text","text":"q1"}]}],"session_id":"q2","stream":true,"extra":"q3"}\n',
  responses: '{"model":"q1","input":"q2","instructions":"q3","temperature":0.5,"extra":["q4"]}\n',
  a2a: '{"jsonrpc":"2.0","id":"q1","method":"SendMessage","params":{"message":{"messageId":"q2","role":"ROLE_USER","parts":[{"text":"q3"}],"contextId":"q4","extra":"q5"}}}\n',
  json: '{"kind":"call","tool":"q1","arguments":{"a":"q2"},"session":"q3","extra":"q4"}\n{"kind":"result","data":["q5",70001]}\n',
};

/** Every scalar that a reader must be able to find again: words and numbers of the samples. */
function scalarsOf(text: string): readonly string[] {
  return [...new Set(text.match(/\bq\d+b?\b|\b7000\d\b/g) ?? [])];
}

/** Holds a conversion to saying or naming everything: a scalar that is not in the result lies in a part that a loss names. */
function checkNothingVanishes(source: string, converted: Converted, hint: string): void {
  const named = converted.losses.map(({ span, path, value, message: said }) =>
    [span ? source.slice(span.start, span.end) : '', path, said, JSON.stringify(value, showInts) ?? ''].join(
      ' ',
    ),
  );
  const found = scalarsOf([converted.text, ...named].join('\n'));
  const missing = scalarsOf(source).filter(scalar => !found.includes(scalar));
  assert.deepEqual(missing, [], `${hint} lost them from\n${source}\n${converted.text}\n${named.join('\n')}`);
}

function showInts(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

describe('converting hostile texts', () => {
  it('is looked at by a check that sees what vanishes', () => {
    const nothing = convertText('', { protocols: ALL_PROTOCOLS, to: 'json' });
    assert.throws(() => checkNothingVanishes('q1', nothing, 'nothing'), /nothing lost them/);
  });

  for (const from of NAMES) {
    it(`keeps or names every scalar of ${from}, whole and cut at every character`, () => {
      const sample = SAMPLES[from];
      for (const to of NAMES) {
        const whole = convertText(sample, { protocols: ALL_PROTOCOLS, from, to });
        checkNothingVanishes(sample, whole, `${from} to ${to}`);
        if (to === 'json')
          for (const scalar of scalarsOf(sample))
            assert.match(whole.text, new RegExp(`\\b${scalar}\\b`), `${from} to ${to}\n${whole.text}`);
      }
      for (let end = 0; end <= sample.length; end += sized(1, 7)) {
        const cut = sample.slice(0, end);
        checkNothingVanishes(
          cut,
          convertText(cut, { protocols: ALL_PROTOCOLS, to: 'json' }),
          `cut at ${end}`,
        );
        checkNothingVanishes(
          cut,
          convertText(cut, { protocols: ALL_PROTOCOLS, from, to: 'aicl' }),
          `cut at ${end}`,
        );
      }
    });

    it(`reads ${from} as any protocol that it is not, without losing a scalar`, () => {
      for (const wrong of NAMES) {
        const converted = convertText(SAMPLES[from], { protocols: ALL_PROTOCOLS, from: wrong, to: 'json' });
        checkNothingVanishes(SAMPLES[from], converted, `${from} as ${wrong}`);
      }
    });
  }

  it('reads messages of several languages in one text, in order', () => {
    const mixed = [
      'CALL|q1|q2',
      '{"kind":"call","tool":"q3"}',
      '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:q4],[s:msg_type]:[s:result],[s:data]:[s:q5]]',
      '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"q6"}}',
      'OK|q7',
      '',
    ];
    for (const order of [mixed, mixed.toReversed(), [...mixed.slice(2), ...mixed.slice(0, 2)]]) {
      const text = order.filter(line => line !== '').join('\n') + '\n';
      const {
        losses,
        messages,
        notes,
        text: result,
      } = convertText(text, { protocols: ALL_PROTOCOLS, to: 'json', layout: 'compact' });
      assert.deepEqual(losses, []);
      assert.deepEqual(scalarsOf(result), scalarsOf(text));
      assert.equal(messages.length, 5);
      assert.deepEqual(
        notes.map(note => note.message),
        ['The text holds messages in several languages; each was read in its own'],
      );
      assert.deepEqual(
        messages.map(({ source }) => text.slice(source.start, source.end).trim()),
        order.filter(line => line !== ''),
      );
    }
  });

  it('reads a message of AICL between the lines of one, and JSON lines with what is no JSON', () => {
    const { losses, text } = convertText('{"kind":"list"}\nnonsense q1\n{"kind":"list"}\n', {
      protocols: ALL_PROTOCOLS,
      to: 'json',
      layout: 'compact',
    });
    assert.equal(text, '{"kind":"list"}\n{"kind":"list"}\n');
    assert.equal(losses.length, 1);
    assert.deepEqual([losses[0]?.kind, losses[0]?.path], ['dropped', 'line 2']);
    assert.match(losses[0]?.message ?? '', /nonsense q1/);
  });

  it('carries every member of the wrong type', () => {
    const values: readonly Value[] = [
      ...[intValue(5), textValue('x'), listValue([]), dictValue([]), { kind: 'null' } as const],
      ...[
        { kind: 'bool', bool: true } as const,
        listValue([intValue(1)]),
        dictValue([{ key: 'x', value: intValue(1) }]),
      ],
    ];
    let nth = 0;
    for (const from of NAMES.filter(name => name !== 'aicf')) {
      for (const wrong of values) {
        for (const text of spoil(SAMPLES[from], JSON.stringify(toJson(wrong)))) {
          if (nth++ % sized(1, 13) !== 0) continue;
          const there = convertText(text, { protocols: ALL_PROTOCOLS, from, to: 'json' });
          const before = readIn(from, text, NO_TOOLS);
          const back = convertText(there.text, { protocols: ALL_PROTOCOLS, from: 'json', to: from });
          if (there.losses.length + back.losses.length === 0)
            assert.ok(
              areSameMessages(before, readIn(from, back.text, NO_TOOLS)),
              `${from}\n${text}\n${there.text}\n${back.text}`,
            );
        }
      }
    }
  });

  it('accepts any value in unknown members', () => {
    fc.assert(
      fc.property(anyValue({ hasUnsendable: false }), fc.constantFrom(...NAMES), (value, name) => {
        const messages = [
          message('call', { tool: textValue('t'), rest: dictValue([{ key: name, value }]) }),
          message('result', { data: value, rest: value }),
        ];
        const text = settleIn(name, messages, NO_TOOLS);
        const before = readIn(name, text, NO_TOOLS);
        const there = convertText(text, { protocols: ALL_PROTOCOLS, from: name, to: 'json' });
        const back = convertText(there.text, { protocols: ALL_PROTOCOLS, from: 'json', to: name });
        assert.deepEqual(there.losses, []);
        assert.ok(
          areSameMessages(before, readIn(name, back.text, NO_TOOLS)),
          `${text}\n${there.text}\n${back.text}`,
        );
      }),
      { numRuns: runs(300) },
    );
  });

  it('survives depth and brackets', () => {
    const deepJson = `{"kind":"result","data":${'['.repeat(100)}"q1"${']'.repeat(100)}}`;
    const deepAicl = `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s],[s:msg_type]:[s:result],[s:data]:${'[l:'.repeat(100)}[s:q1]${']'.repeat(100)}]`;
    for (const to of NAMES) {
      assert.match(convertText(deepJson, { protocols: ALL_PROTOCOLS, to }).text, /q1/, to);
      assert.match(convertText(deepAicl, { protocols: ALL_PROTOCOLS, to }).text, /q1/, to);
    }
    for (const bracket of ['[', '{', '[d:', '{"a":', '[{"a":', ']', '[s:a]:', 'CALL|', '{\n']) {
      const { losses, messages } = convertText(bracket.repeat(sized(100_000)), {
        protocols: ALL_PROTOCOLS,
        to: 'json',
      });
      assert.ok(losses.length + messages.length > 0, `${bracket} vanished`);
    }
  });

  it('keeps the keys of prototypes', () => {
    const text =
      '{"kind":"call","tool":"t","arguments":{"__proto__":{"q1":1},"constructor":"q2","toString":"q3"}}';
    for (const to of NAMES.filter(name => name !== 'aicf')) {
      const there = convertText(text, { protocols: ALL_PROTOCOLS, to });
      const back = convertText(there.text, {
        protocols: ALL_PROTOCOLS,
        from: to,
        to: 'json',
        layout: 'compact',
      });
      assert.equal(back.text, `${text}\n`, to);
    }
    assert.equal(Object.hasOwn(Object.prototype, 'q1'), false);
  });

  it('converts many messages, and reports at most a thousand losses', () => {
    const count = sized(100_000, 1_050);
    const text = 'CALL|t|1\n'.repeat(count);
    const {
      losses,
      unreported,
      messages,
      text: result,
    } = convertText(text, { protocols: ALL_PROTOCOLS, to: 'mcp', layout: 'compact' });
    assert.equal(messages.length, count);
    assert.equal(result.split('\n').length, count + 1);
    assert.deepEqual([losses.length, unreported], [1000, count - 1000]);
  });

  it('writes a stream of many parts', () => {
    const count = sized(150_000, 300);
    const { text: result, losses } = convertText(`${'STREAM|a\n'.repeat(count)}END\n`, {
      protocols: ALL_PROTOCOLS,
      to: 'aicl',
      layout: 'compact',
    });
    assert.deepEqual(losses, []);
    assert.equal(result.split('\n').length, count + 1);
    assert.ok(result.endsWith(`[s:stream_id]:[s:stream_${count}/${count}],[s:is_final]:[b:true]]\n`));
  });
});

function toJson(value: Value): unknown {
  switch (value.kind) {
    case 'list':
      return value.items.map(toJson);
    case 'dict':
      return Object.fromEntries(value.entries.map(entry => [entry.key, toJson(entry.value)]));
    case 'int':
      return Number(value.int);
    case 'text':
      return value.text;
    case 'bool':
      return value.bool;
    default:
      return null;
  }
}

/** The text with each of its JSON strings and numbers after a colon replaced, one at a time. */
function spoil(text: string, wrong: string): readonly string[] {
  const places = [...text.matchAll(/:("[^"]*"|\d+|\[[^\]]*\]|\{[^{}]*\})/g)];
  return places.map(
    place => `${text.slice(0, place.index + 1)}${wrong}${text.slice(place.index + place[0].length)}`,
  );
}
