import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { findTool, named, placeArguments } from '../../../../protocols/tools/arguments.ts';
import { Report } from '../../../../core/message/report.ts';
import { message } from '../../../../core/message/message.ts';
import { readDeclaration } from '../../../../protocols/tools/tool-schema.ts';
import { dictValue, intValue, listValue, textValue as t, type Value } from '../../../../core/values/value.ts';

const dict = (members: Record<string, Value>): Value =>
  dictValue(Object.entries(members).map(([key, value]) => ({ key, value })));

const declaration = dict({ name: t('tool'), arguments: listValue(['a', 'arg3', 'c'].map(t)) });
const tools = { isComplete: false, tools: new Map([['tool', readDeclaration(declaration)]]) };

/** The arguments by name, with the reports on them. */
function name(tool: string, given: Value | undefined): [Value | undefined, ...string[]] {
  const report = new Report();
  const { fields } = named(message('call', { tool: t(tool), arguments: given }), 'mcp', {
    protocols: ALL_PROTOCOLS,
    report,
    tools,
  });
  assert.deepEqual(fields.tool, t(tool));
  return [fields.arguments, ...report.losses.map(({ kind, path, message }) => `${kind} ${path}: ${message}`)];
}

function place(tool: string, given: Value | undefined): [readonly (Value | undefined)[], ...string[]] {
  const report = new Report();
  const items = placeArguments(given, findTool(tools, t(tool)), { protocols: ALL_PROTOCOLS, report, tools });
  return [items, ...report.losses.map(({ kind, path, message }) => `${kind} ${path}: ${message}`)];
}

describe('the names of arguments', () => {
  const list = listValue([t('x'), t('y')]);

  it('are those that the tool declares', () => {
    assert.deepEqual(name('tool', list), [
      dict({ a: t('x'), arg3: t('y') }),
      'moved arguments: The arguments are written with the names that the tool declares',
    ]);
  });

  it('are guessed where nothing declares them, once a call', () => {
    assert.deepEqual(name('other', list), [
      dict({ arg1: t('x'), arg2: t('y') }),
      'guessed arguments: The names of the arguments are a guess, because nothing declares the tool other',
    ]);
    assert.deepEqual(name('tool', listValue([1, 2, 3, 4, 5].map(intValue))), [
      dict({ a: intValue(1), arg3: intValue(2), c: intValue(3), arg4: intValue(4), arg5: intValue(5) }),
      'guessed arguments: The tool declares 3 arguments and gets 5; the names of the others are a guess',
    ]);
  });

  it('stay what they are, the same object, where they are no list', () => {
    for (const given of [dict({ z: t('x') }), t('x'), undefined]) {
      const [same, ...reported] = name('tool', given);
      assert.equal(same, given);
      assert.deepEqual(reported, []);
    }
  });
});

describe('the places of arguments', () => {
  it('are in the order of the declaration, with a gap for each that is not given', () => {
    assert.deepEqual(place('tool', dict({ a: t('x'), c: t('y') })), [[t('x'), undefined, t('y')]]);
    assert.deepEqual(place('tool', dict({ a: t('x') })), [[t('x')]]);
    assert.deepEqual(place('tool', dict({})), [[]]);
  });

  it('tell another order, and names that nothing declares', () => {
    assert.deepEqual(place('tool', dict({ c: t('y'), zz: t('z'), a: t('x') })), [
      [t('x'), undefined, t('y')],
      'dropped arguments.zz: tool declares no argument of this name, so it has no place in AICF',
      'moved arguments: The arguments are written in the order in which tool declares them',
    ]);
  });

  it('are in the order of the names where nothing declares them, and the names are a loss', () => {
    assert.deepEqual(place('other', dict({})), [[]]);
    assert.deepEqual(place('other', dict({ arg2: t('x'), arg1: t('y') })), [
      [t('x'), t('y')],
      'dropped arguments: AICF gives arguments by place, and nothing declares their order; the names are dropped and their order stays',
    ]);
  });

  it('go on by number past those that are declared', () => {
    const [named] = name('tool', listValue([1, 2, 3, 4, 5].map(intValue)));
    assert.deepEqual(place('tool', named), [[1, 2, 3, 4, 5].map(intValue)]);
    assert.deepEqual(place('tool', dict({ a: t('x'), arg4: t('y') })), [
      [t('x')],
      'dropped arguments.arg4: tool declares no argument of this name, so it has no place in AICF',
    ]);
  });

  it('stay what they are for a list', () => {
    assert.deepEqual(place('tool', listValue([t('x')])), [[t('x')]]);
    assert.deepEqual(place('tool', undefined), [[]]);
  });
});
