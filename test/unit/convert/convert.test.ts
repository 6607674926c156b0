import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { convertSteps, convertText } from '../../../protocols/convert/convert.ts';
import { sized } from '../../support/size.ts';

describe('converting a text', () => {
  it('reports the place of each message on both sides, and of values', () => {
    const text = '{"kind":"call","tool":"a"}\n{"kind":"result","data":"x"}\n';
    const {
      messages,
      text: result,
      sourcePlaces,
      resultPlaces,
    } = convertText(text, { protocols: ALL_PROTOCOLS, to: 'aicl', layout: 'compact', keepsPlaces: true });
    assert.deepEqual(
      messages.map(({ from, source, result: at }) => [
        from,
        text.slice(source.start, source.end).trim(),
        at && result.slice(at.start, at.end).trim(),
      ]),
      [
        ['json', '{"kind":"call","tool":"a"}', result.split('\n')[0]],
        ['json', '{"kind":"result","data":"x"}', result.split('\n')[1]],
      ],
    );
    const shared = [...(sourcePlaces ?? [])].flatMap(([value, at]) => {
      const other = resultPlaces?.get(value);
      return other ? [[text.slice(at.start, at.end), result.slice(other.start, other.end)]] : [];
    });
    assert.deepEqual(shared, [
      ['"tool":"a"', '[s:tool]:[s:a]'],
      ['"data":"x"', '[s:data]:[s:x]'],
    ]);
  });

  it('numbers the paths of losses where there are several messages', () => {
    const one = convertText('CALL|t|x\n', { protocols: ALL_PROTOCOLS, to: 'mcp' });
    assert.deepEqual(
      one.losses.map(({ kind, path }) => [kind, path]),
      [['guessed', 'arguments']],
    );
    const two = convertText('LIST\nCALL|t|x\n', { protocols: ALL_PROTOCOLS, to: 'mcp' });
    assert.deepEqual(
      two.losses.map(({ kind, path, index }) => [kind, path, index]),
      [['guessed', '[2].arguments', 1]],
    );
  });

  it('writes the messages of a span alone, with their own losses and ids', () => {
    const text = 'CALL|t|x\nCALL|u|y\nwhatever\n';
    const {
      text: result,
      losses,
      messages,
    } = convertText(text, {
      protocols: ALL_PROTOCOLS,
      to: 'mcp',
      layout: 'compact',
      within: { start: 12, end: 13 },
    });
    assert.equal(messages.length, 1);
    assert.equal(
      result,
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"u","arguments":{"arg1":"y"}}}\n',
    );
    assert.deepEqual(
      losses.map(({ kind, path }) => [kind, path]),
      [['guessed', '[2].arguments']],
    );
  });

  it('tells of the messages of a span alone, whatever the others lose and note', () => {
    const lossy = 'CALL|t|x\n';
    const noted = 'CALL|n|{"a":"x\\ny"}\n';
    const text = lossy.repeat(1_200) + noted + lossy + noted;
    const start = text.lastIndexOf(lossy);
    const { losses, notes, unreported, messages } = convertText(text, {
      protocols: ALL_PROTOCOLS,
      to: 'mcp',
      within: { start, end: text.length },
    });
    assert.deepEqual(
      losses.map(({ path, index }) => [path, index]),
      [
        ['[1202].arguments', 0],
        ['[1203].arguments', 1],
      ],
    );
    assert.deepEqual(
      notes.map(({ message, index }) => [message, index]),
      [['JSON that its sender did not escape was read as written', 1]],
    );
    assert.deepEqual([unreported, messages.length], [0, 2]);
  });

  it('keeps places of the messages of a span alone', () => {
    for (const text of ['CALL|t|x\nCALL|u|y\n', '[d:[s:a]:[s:x]]\n[d:[s:a]:[s:y]]\n']) {
      const within = { start: text.indexOf('\n') + 1, end: text.length };
      const { sourcePlaces } = convertText(text, {
        protocols: ALL_PROTOCOLS,
        to: 'json',
        keepsPlaces: true,
        within,
      });
      const places = [...(sourcePlaces?.values() ?? [])];
      assert.ok(places.length > 0);
      assert.deepEqual(
        places.filter(({ start }) => start < within.start),
        [],
      );
    }
  });

  it('takes names from the tools of the agent that a call is for, and of no other', () => {
    const tool = '# @agent counter\nTOOL|sum|Adds|left:number|right:number\n';
    const named = '{"kind":"call","tool":"sum","arguments":{"left":1,"right":2}}';
    const guessed = '{"kind":"call","tool":"sum","arguments":{"arg1":"1","arg2":"2"}}';
    const convert = (source: string): readonly unknown[] => {
      const { text: result, losses } = convertText(source, {
        protocols: ALL_PROTOCOLS,
        to: 'mcp',
        layout: 'compact',
      });
      return [
        convertText(result, { protocols: ALL_PROTOCOLS, to: 'json', layout: 'compact' })
          .text.trim()
          .split('\n')
          .at(-1),
        losses.length,
      ];
    };
    // That MCP has the declaration in a list of tools is reported, too.
    assert.deepEqual(convert(`${tool}# @agent counter\nCALL|sum|1|2\n`), [named, 1]);
    assert.deepEqual(convert(`${tool}# @agent other\nCALL|sum|1|2\n`), [guessed, 2]);
  });

  it('tells of what nests deeper in the result than its reader goes', () => {
    const deep = (levels: number): string =>
      `{"kind":"call","tool":"t","arguments":{"a":${'['.repeat(levels)}${']'.repeat(levels)}}}`;
    const report = (levels: number): readonly unknown[] => {
      const { text, losses } = convertText(deep(levels), {
        protocols: ALL_PROTOCOLS,
        to: 'mcp',
        layout: 'compact',
      });
      const { text: back } = convertText(text, {
        protocols: ALL_PROTOCOLS,
        from: 'mcp',
        to: 'json',
        layout: 'compact',
      });
      return [back.trim() === deep(levels), losses.map(({ kind, path }) => [kind, path])];
    };
    assert.deepEqual(report(197), [true, []]);
    assert.deepEqual(report(198), [false, [['moved', `params.arguments.a${'[0]'.repeat(197)}`]]]);
  });

  it('is done in slices, each of them short', () => {
    const one = '{"kind":"call","tool":"a","arguments":{"text":"some words"}}\n';
    const count = sized(6_400, 640);
    const steps = convertSteps(one.repeat(count), {
      protocols: ALL_PROTOCOLS,
      to: 'aicl',
      layout: 'compact',
    });
    let slices = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) slices++;
    // Each is written when it is read: 64 messages at a time.
    assert.equal(slices, count / 64);
    assert.equal(
      step.value.text,
      convertText(one, { protocols: ALL_PROTOCOLS, to: 'aicl', layout: 'compact' }).text.repeat(count),
    );
  });

  it('adapts the layout to the number of messages on request', () => {
    const convert = (text: string): string =>
      convertText(text, { protocols: ALL_PROTOCOLS, to: 'json', layout: 'fitting' }).text;
    assert.equal(convert('LIST\n'), '{\n  "kind": "list"\n}\n');
    assert.equal(convert('LIST\nLIST\n'), '{"kind":"list"}\n{"kind":"list"}\n');
    assert.equal(convert('# nothing\n'), '');
  });

  it('gives arguments by place back to who has them so', () => {
    const there = convertText('CALL|t|x|7\n', { protocols: ALL_PROTOCOLS, to: 'aicl' });
    assert.equal(convertText(there.text, { protocols: ALL_PROTOCOLS, to: 'aicf' }).text, 'CALL|t|x|7\n');
  });
});
