import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { CONVERSIONS } from '../../../../core/catalog/conversions.ts';
import { convertText } from '../../../../protocols/convert/convert.ts';
import { checkReport, NO_TOOLS, travel } from '../../../support/conversions.ts';
import { runs } from '../../../support/size.ts';

/** What an event holds, in version 1.0. */
type Result = Readonly<Record<string, unknown>>;

const IDS = { taskId: 't1', contextId: 'c1' };

function update(artifactId: string | undefined, text: string, more: object = {}): Result {
  return { artifactUpdate: { ...IDS, artifact: { artifactId, parts: [{ text }] }, ...more } };
}

function status(state: string, more: object = {}): Result {
  return { statusUpdate: { ...IDS, status: { state: `TASK_STATE_${state}`, ...more } } };
}

function task(state: string, more: object = {}): Result {
  return { task: { id: 't1', contextId: 'c1', status: { state: `TASK_STATE_${state}` }, ...more } };
}

/** The same event as servers of version 0.3 write it. */
function old(result: Result): Result {
  const kinds: ReadonlyMap<string, string> = new Map([
    ['artifactUpdate', 'artifact-update'],
    ['statusUpdate', 'status-update'],
    ['task', 'task'],
  ]);
  const [[name, inner] = ['', {}]] = Object.entries(result);
  const isLast = name === 'statusUpdate' && /COMPLETED|FAILED/.test(JSON.stringify(inner));
  const json = JSON.stringify({ kind: kinds.get(name), ...(inner as object), ...(isLast && { final: true }) })
    .replaceAll(/"TASK_STATE_(\w+)"/g, word => word.replace('TASK_STATE_', '').toLowerCase())
    .replaceAll('{"text"', '{"kind":"text","text"');
  return JSON.parse(json) as Result;
}

function events(results: readonly Result[], id: unknown = 1): string {
  return results.map(result => `data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`).join('');
}

/** What the events of a text hold. */
function resultsOf(text: string): readonly unknown[] {
  return text
    .split('\n')
    .filter(line => line.startsWith('data: '))
    .map(line => (JSON.parse(line.slice('data: '.length)) as { result: unknown }).result);
}

const SAID = { message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'kaput' }] } };

describe('streams of A2A', () => {
  const streams: readonly (readonly [title: string, results: readonly Result[]])[] = [
    ['two artifacts, each told once', [update('a1', 'Hi'), update('a2', ' you')]],
    ['an artifact told anew', [update('a1', 'Hi'), update('a1', 'Hello')]],
    ['an artifact that grows', [update('a1', 'Hi'), update('a1', ' you', { append: true })]],
    ['a lone part that is added', [update('a1', ' you', { append: true })]],
    ['parts that say that they are not added', [update('a1', 'Hi', { append: false })]],
    ['an artifact after its stream ended', [update('a1', 'Hi'), status('COMPLETED'), update('a1', 'Hi')]],
    [
      'parts of an artifact that the task has',
      [
        task('WORKING', { artifacts: [{ artifactId: 'a1', parts: [{ text: 'Hi' }] }] }),
        update('a1', ' you', { append: true }),
      ],
    ],
  ];
  for (const [title, results] of streams)
    for (const [version, given] of [
      ['1.0', results],
      ['0.3', results.map(old)],
    ] as const)
      it(`${version}: ${title}, and come back as they were`, () => {
        const there = convertText(events(given), { protocols: ALL_PROTOCOLS, to: 'json' });
        const back = convertText(there.text, { protocols: ALL_PROTOCOLS, from: 'json', to: 'a2a' });
        assert.deepEqual(there.losses, []);
        assert.deepEqual(resultsOf(back.text), given);
      });

  it('are the reply that they amount to where replies come whole, artifact by artifact', () => {
    const given = [
      update('a1', 'Hi'),
      update('a2', 'Other'),
      update('a1', ' you', { append: true }),
      update('a2', 'Another'),
      status('COMPLETED'),
    ];
    const { text } = convertText(events(given), { protocols: ALL_PROTOCOLS, to: 'mcp', layout: 'compact' });
    const content = [
      { type: 'text', text: 'Hi you' },
      { type: 'text', text: 'Another' },
    ];
    assert.deepEqual(JSON.parse(text), { jsonrpc: '2.0', id: 1, result: { content } });
  });

  it('say in their last status what no artifact says', () => {
    const { text } = convertText(events([status('WORKING'), status('COMPLETED', SAID)]), {
      protocols: ALL_PROTOCOLS,
      to: 'mcp',
      layout: 'compact',
    });
    const content = [{ type: 'text', text: 'kaput' }];
    assert.deepEqual(JSON.parse(text), { jsonrpc: '2.0', id: 1, result: { content } });
  });

  it('are extended by what is not marked as an artifact of its own', () => {
    const { text } = convertText('STREAM|Hi\nSTREAM| you\nEND\nSTREAM|Ho\nEND\n', {
      protocols: ALL_PROTOCOLS,
      to: 'a2a',
    });
    assert.deepEqual(
      resultsOf(text).map(result =>
        Object.values(result as Result).map(inner => (inner as Result)['append']),
      ),
      [[undefined], [true], [undefined], [undefined], [undefined]],
    );
    assert.equal(
      convertText(text, { protocols: ALL_PROTOCOLS, to: 'aicf' }).text,
      'STREAM|Hi\nSTREAM| you\nEND\nSTREAM|Ho\nEND\n',
    );
  });

  it('that begin with the task that runs have no reply before their parts', () => {
    const begin = [task('SUBMITTED'), status('WORKING'), update('a1', 'Hi'), status('COMPLETED')];
    assert.equal(
      convertText(events(begin), { protocols: ALL_PROTOCOLS, to: 'aicf' }).text,
      'STREAM|Hi\nEND\n',
    );
    assert.equal(
      convertText(events(begin.map(old)), { protocols: ALL_PROTOCOLS, to: 'aicf' }).text,
      'STREAM|Hi\nEND\n',
    );
  });

  it('end with a status that says when', () => {
    const timed = [update('a1', 'Hi'), status('COMPLETED', { timestamp: '2026-01-01T00:00:00Z' })];
    assert.equal(
      convertText(events(timed), { protocols: ALL_PROTOCOLS, to: 'aicf' }).text,
      'STREAM|Hi\nEND\n',
    );
  });

  const anyAppend = fc.constantFrom({}, {}, { append: true }, { append: false }, { append: null });
  const anyState = fc.constantFrom(
    ...['SUBMITTED', 'WORKING', 'COMPLETED', 'FAILED', 'CANCELED', 'REJECTED', 'INPUT_REQUIRED', 'ODD'],
  );
  const anyMore = fc.constantFrom({}, SAID, { timestamp: 'now' }, { message: { parts: [] } });
  const anyResult = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(fc.constantFrom('a1', 'a2', 'artifact-1', undefined), anyAppend) },
    { weight: 2, arbitrary: fc.tuple(fc.constant('status'), anyState, anyMore) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('task'), anyState, anyMore) },
  );
  const anyEvent = fc
    .tuple(anyResult, fc.boolean(), fc.constantFrom(1, 1, 2, 'x'))
    .map(([[first, second, more], isOld, id]) => {
      const result =
        typeof second === 'string'
          ? first === 'task'
            ? task(second, { artifacts: [{ artifactId: 'a1', parts: [{ text: 'Hi' }] }], ...more })
            : status(second, more)
          : update(first, 'part', second);
      return { jsonrpc: '2.0', id, result: isOld ? old(result) : result };
    });

  it('of any events come back from every protocol as they were, or the report says what is lost', () => {
    fc.assert(
      fc.property(
        fc.array(anyEvent, { maxLength: 6 }),
        fc.constantFrom(...CONVERSIONS),
        (given, { name }) => {
          const text = given.map(event => `data: ${JSON.stringify(event)}\n\n`).join('');
          const journey = travel(text, 'a2a', name, NO_TOOLS);
          checkReport(journey);
          if (name === 'json') assert.deepEqual(journey.there.losses, [], journey.describe());
        },
      ),
      { numRuns: runs(2_000) },
    );
  });
});

describe('a task of A2A that did not get done', () => {
  const failures: readonly (readonly [state: string, more: object, text: string])[] = [
    ['FAILED', SAID, 'kaput'],
    ['FAILED', {}, 'The task failed'],
    ['CANCELED', {}, 'The task was canceled'],
    [
      'REJECTED',
      { message: { messageId: 'm', role: 'ROLE_AGENT', parts: [] } },
      'The agent rejected the task',
    ],
  ];
  for (const [state, more, text] of failures)
    it(`${state} is an error that says '${text}'`, () => {
      const whole = { task: { id: 't1', status: { state: `TASK_STATE_${state}`, ...more } } };
      for (const result of [whole, old(whole), status(state, more), old(status(state, more))]) {
        const reply = `${JSON.stringify({ jsonrpc: '2.0', id: 1, result })}\n`;
        assert.equal(
          convertText(reply, { protocols: ALL_PROTOCOLS, to: 'aicf' }).text,
          `ERR|500|${text} [a2a]\n`,
        );
        const inAicl = convertText(reply, { protocols: ALL_PROTOCOLS, to: 'aicl', layout: 'compact' }).text;
        const error = `[s:msg_type]:[s:error],[s:code]:[i:5000],[s:reason]:[s:${text}],`;
        assert.ok(inAicl.includes(error), inAicl);
        const there = convertText(reply, { protocols: ALL_PROTOCOLS, to: 'mcp', layout: 'compact' });
        const { result: answer } = JSON.parse(there.text) as {
          result: { isError: unknown; content: unknown };
        };
        assert.deepEqual([answer.isError, answer.content], [true, [{ type: 'text', text }]]);
      }
    });

  it('ends its stream with an error', () => {
    const results = [task('WORKING'), update('a1', 'Hi'), status('FAILED', SAID)];
    const { text, losses } = convertText(events(results), {
      protocols: ALL_PROTOCOLS,
      to: 'agent-api',
      layout: 'compact',
    });
    const only = JSON.parse(text) as Result;
    assert.deepEqual([only['object'], only['status']], ['response', 'failed']);
    const reported = losses.map(({ kind, message }) => `${kind}: ${message}`);
    assert.ok(
      reported.includes(
        'dropped: The reply ended with an error; its earlier content cannot be written with it',
      ),
    );
  });
});
