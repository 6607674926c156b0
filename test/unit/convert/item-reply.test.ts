import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { message, type Message } from '../../../core/message/message.ts';
import { Report } from '../../../core/message/report.ts';
import { intValue, listValue, textIn, textValue, type Value } from '../../../core/values/value.ts';
import { compactJson } from '../../../language/values/json-printer.ts';
import { messageItem } from '../../../protocols/content/flatten.ts';
import { textPart, writeParts, type Part } from '../../../protocols/content/part.ts';
import { dictOf } from '../../../protocols/message/dicts.ts';
import { ItemReply } from '../../../protocols/serving/item-reply.ts';
import { ReplyCollector } from '../../../protocols/serving/reply-collector.ts';

const text = (data: string, more: Parameters<typeof message>[1] = {}): Message =>
  message('chunk', { data: textValue(data), ...more });

/** A text of one piece of a reply, as agents of A2A send their artifacts. */
const piece = (data: string, name: string, marks: Readonly<Record<string, Value>> = {}): Message =>
  text(data, { rest: dictOf({ a2a: dictOf({ $piece: textValue(name), ...marks }) }) });

const call = (name: string): Value =>
  dictOf({ type: textValue('function_call'), call_id: textValue('c'), name: textValue(name) });

const say = (...parts: readonly Part[]): Value => messageItem('assistant', writeParts(parts));

const IMAGE: Part = { type: 'image', holds: 'data', value: textValue('iVBORw0KGgo=') };

/** What a caller receives of a reply, step by step. */
function pass(form: 'streamed' | 'whole', messages: readonly Message[]): readonly string[] {
  const steps: string[] = [];
  const sink = {
    grow: (kind: string, grown: string) => void steps.push(`${kind} ${grown}`),
    cut: () => void steps.push('cut'),
    part: ({ type, value }: Part) => void steps.push(`${type} ${textIn(value) ?? compactJson(value)}`),
    item: (item: Value) => void steps.push(compactJson(item)),
    note: (note: string) => void steps.push(`note ${note}`),
  };
  const collector = new ReplyCollector();
  const reply = new ItemReply(sink, form);
  for (const each of messages) reply.take(collector.take([each]));
  reply.end({ status: 'ok', ...collector.end(new Report()) });
  return steps;
}

describe('a reply as items', () => {
  it('passes on chunks as they arrive, and at the end what was not among them', () => {
    const whole = message('result', {
      items: listValue([
        dictOf({
          type: textValue('reasoning'),
          summary: listValue([dictOf({ text: textValue('Hm.') })]),
        }),
        call('look'),
        say(textPart(textValue('Hello')), IMAGE),
        call('late'),
      ]),
    });
    const chunks = [
      text('Hm.', { event: textValue('reasoning') }),
      message('chunk', { items: listValue([call('look')]) }),
      text('Hel'),
      text('lo'),
    ];
    assert.deepEqual(pass('streamed', [...chunks, whole]), [
      'reasoning Hm.',
      compactJson(call('look')),
      'text Hel',
      'text lo',
      'image iVBORw0KGgo=',
      compactJson(call('late')),
    ]);
    assert.deepEqual(
      pass('whole', [...chunks, whole]),
      whole.fields.items?.kind === 'list' ? whole.fields.items.items.map(item => compactJson(item)) : [],
    );
  });

  it('says where items come later than the agent sent them', () => {
    const whole = message('result', { items: listValue([call('look'), say(textPart(textValue('Hi')))]) });
    assert.deepEqual(pass('streamed', [text('Hi'), whole]), [
      'text Hi',
      'note The reply was streamed: its other items follow its texts, also those that the agent sent before them',
      compactJson(call('look')),
    ]);
  });

  it('separates pieces, and says that a replaced one was sent', () => {
    const replaced = piece('B2', 'b', { $anew: textValue('yes') });
    assert.deepEqual(pass('streamed', [piece('A', 'a'), piece('B', 'b'), replaced]), [
      'text A',
      'cut',
      'text B',
      'note The agent replaced a part of its reply; the caller received both',
      'cut',
      'text B2',
    ]);
    assert.deepEqual(pass('whole', [piece('A', 'a'), piece('B', 'b'), replaced]), ['text A', 'text B2']);
  });

  it('passes on a value that comes in pieces once it is whole', () => {
    const part = (index: number): Message =>
      message('chunk', {
        data: listValue([intValue(index)]),
        stream: textValue('numbers'),
        index: intValue(index),
      });
    for (const form of ['streamed', 'whole'] as const)
      assert.deepEqual(pass(form, [part(1), part(2), message('end', { stream: textValue('numbers') })]), [
        'data [1,2]',
      ]);
  });
});
