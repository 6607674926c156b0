import assert from 'node:assert/strict';
import fc from 'fast-check';
import { after, describe, it } from 'mocha';
import { CONVERSIONS, findConversion, type ConversionName } from '../../core/catalog/conversions.ts';
import type { ToolTable } from '../../language/tools.ts';
import type { Message } from '../../core/message/message.ts';
import { intValue, listValue, textValue, type Value } from '../../core/values/value.ts';
import { dictOf } from '../../protocols/message/dicts.ts';
import {
  checkReport,
  DECLARED,
  NO_TOOLS,
  readIn,
  settleIn,
  travel,
  type Journey,
} from '../support/conversions.ts';
import { anyAicf, anyConversation, anyMessages, anyTextStream } from '../support/message-arbitrary.ts';
import { listOccurrences, Occurrences } from '../support/message-occurrences.ts';
import { itAtFullSize, runs } from '../support/size.ts';

/** So many texts a pair as part of all tests; FUZZ_RUNS=N tries N. */
const RUNS = runs(200);
/** The gate's, or a new one for each run; printed: FUZZ_SEED=N repeats it. */
const SEED = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
/** The nth property tries messages of its own, or all of them would try the same ones. */
function parameters(nth: number): { readonly numRuns: number; readonly seed: number } {
  return { numRuns: RUNS, seed: SEED + 1000 * nth };
}

interface Pair {
  readonly from: ConversionName;
  readonly to: ConversionName;
}

const NAMES = CONVERSIONS.map(({ name }) => name);
const PAIRS: readonly Pair[] = NAMES.flatMap(from =>
  NAMES.filter(to => to !== from).map(to => ({ from, to })),
);

const SENDABLE = { hasUnsendable: false };
const ANY = { hasUnsendable: true };

const occurred = new Occurrences(listOccurrences());

/** Messages as a protocol can say them, there and back. */
function bring(pair: Pair, messages: readonly Message[], tools: ToolTable): Journey {
  for (const message of messages) occurred.add(message);
  return travel(settleIn(pair.from, messages, tools), pair.from, pair.to, tools);
}

/** Holds a journey to losing nothing, and to saying so. */
function checkLossless(journey: Journey): void {
  assert.deepEqual(journey.there.losses, [], journey.describe());
  checkReport(journey);
}

/** Only arguments by place are guessed, because names for them have to be found. */
function checkOnlyGuessed(journey: Journey): void {
  const { losses } = journey.there;
  const guesses = losses.filter(({ kind, path }) => kind === 'guessed' && /\barguments$/.test(path));
  assert.deepEqual(losses, guesses, journey.describe());
  assert.ok(journey.isSame, journey.describe());
}

describe('converting any messages', () => {
  after(() => {
    const table = occurred.print().replace(/^/gm, '      ');
    console.log(`      seed ${SEED} (FUZZ_SEED=${SEED} repeats it); how often each occurred:\n${table}`);
  });

  for (const [nth, pair] of PAIRS.entries()) {
    it(`${pair.from} to ${pair.to} and back: the report says whether anything is lost`, () => {
      const anyTools = fc.constantFrom(NO_TOOLS, DECLARED);
      fc.assert(
        fc.property(anyMessages(ANY), anyTools, (messages, tools) => {
          checkReport(bring(pair, messages, tools));
        }),
        parameters(nth),
      );
    });
  }

  it('reports also what random messages seldom meet: empty members, empty streams, members of other formats', () => {
    const empty = dictOf({});
    const restOf = (protocol: string, name: string): Value =>
      dictOf({ [protocol]: dictOf({ [name]: empty }) });
    const tool = textValue('');
    const task = { supported: listValue([]), selected: textValue(''), rest: restOf('responses', 'method') };
    const textPart = (text: string, more = {}): Value =>
      dictOf({ type: textValue('text'), text: textValue(text), ...more });
    const [user, content] = [textValue('user'), listValue([textPart('')])];
    const items = listValue([dictOf({ type: textValue('message'), role: user, content })]);
    const inputs = dictOf({ inputs: content });
    const address = listValue([textPart('data: ', { mimeType: textValue('image/png') })]);
    const found: readonly (readonly [Pair, readonly Message[]])[] = [
      [
        { from: 'mcp', to: 'aio' },
        [{ kind: 'call', fields: { tool, arguments: empty, rest: restOf('mcp', 'result') } }],
      ],
      [
        { from: 'json', to: 'json-rpc' },
        [
          { kind: 'chunk', fields: {} },
          { kind: 'error', fields: { protocol: textValue('aicl'), code: intValue(1000n) } },
        ],
      ],
      [{ from: 'responses', to: 'aicl' }, [{ kind: 'negotiate', fields: task }]],
      [{ from: 'aicl', to: 'a2a' }, [{ kind: 'task', fields: { task: tool, constraints: inputs, items } }]],
      [{ from: 'a2a', to: 'agent-api' }, [{ kind: 'result', fields: { content: address } }]],
    ];
    for (const [pair, messages] of found) checkReport(bring(pair, messages, NO_TOOLS));
  });

  it('plain typed JSON loses nothing of any message', () => {
    fc.assert(
      fc.property(anyMessages(SENDABLE), fc.constantFrom(...NAMES), (messages, from) => {
        if (from !== 'json') checkLossless(bring({ from, to: 'json' }, messages, NO_TOOLS));
      }),
      parameters(100),
    );
  });

  it('aicf and json-rpc lose nothing with a schema, and guess without one', () => {
    const aicfToRpc: Pair = { from: 'aicf', to: 'json-rpc' };
    fc.assert(
      fc.property(anyAicf(ANY), unsendable => {
        // A file of AICF is UTF-8, which has no halves of surrogate pairs.
        const text = unsendable.replace(/\p{Surrogate}/gu, '\ufffd');
        const messages = readIn('aicf', text, DECLARED);
        // A stream that says nothing amounts to an empty reply.
        fc.pre(!messages.some(({ kind }, at) => kind === 'end' && messages[at - 1]?.kind !== 'chunk'));
        checkLossless(bring(aicfToRpc, messages, DECLARED));
        checkLossless(bring({ from: 'json-rpc', to: 'aicf' }, messages, DECLARED));
        checkOnlyGuessed(bring(aicfToRpc, readIn('aicf', text, NO_TOOLS), NO_TOOLS));
      }),
      parameters(104),
    );
  });

  it('agent-api and responses lose nothing of texts and function calls', () => {
    fc.assert(
      fc.property(anyConversation(ANY), messages => {
        checkLossless(bring({ from: 'agent-api', to: 'responses' }, messages, NO_TOOLS));
        checkLossless(bring({ from: 'responses', to: 'agent-api' }, messages, NO_TOOLS));
      }),
      parameters(105),
    );
  });

  it('a text in parts goes from every protocol to every other one and back, part by part or as the reply that it is', () => {
    fc.assert(
      fc.property(anyTextStream(SENDABLE), fc.constantFrom(...PAIRS), (messages, pair) => {
        const journey = bring(pair, messages, NO_TOOLS);
        checkLossless(journey);
        const isStream = [pair.from, pair.to].every(name => findConversion(name)?.stream);
        const kinds = isStream ? messages.map(({ kind }) => kind) : undefined;
        assert.deepEqual(
          journey.after.map(({ kind }) => kind),
          kinds ?? ['result'],
          journey.describe(),
        );
      }),
      { ...parameters(106), numRuns: RUNS * 5 },
    );
  });

  itAtFullSize('meets every kind of message and value, every data type and every error code', () => {
    assert.deepEqual(occurred.missing, []);
  });
});
