import fc from 'fast-check';

/** Few names, so that they meet: those of prototypes, markup, formulas, an empty one, and a long one. */
const NAMES = [
  '__proto__',
  'constructor',
  'toString',
  '',
  'a',
  'b',
  'c',
  '<img src=x onerror="globalThis.hurt=1">',
  'javascript:alert(1)',
  '=1+1',
  'end\n  p0->>p1: x',
  '\u{202e}\u{0}\u{d800}',
  'x'.repeat(5_000),
];

/** Times that no clock tells. */
const TIMES = [0, -0, 1, 2, 3, 1e300, -1e300, Number.MAX_VALUE, -Number.MAX_VALUE, 5e-324, 2 ** 53, 1.5];

const name = fc.constantFrom(...NAMES);
const time = fc.constantFrom<unknown>(...TIMES);
/** What has no business in a field. */
const wrong = fc.constantFrom<unknown>(null, true, 'x', 7, -1, 1e300, [], {}, [[]], { __proto__: 1 }, '');
const mostly = (right: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 12, arbitrary: right }, { weight: 1, arbitrary: wrong });
const option = (right: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.option(mostly(right), { nil: undefined });

const carried = fc.record({
  scheme: fc.constantFrom('w3c', 'aio', 'openstarry', 'x'),
  trace: mostly(name),
  id: option(name),
  parent: option(name),
  depth: option(fc.constantFrom(0, 1, 6, 2 ** 53, 1e300)),
});
const headers = fc.array(fc.record({ name: mostly(name), value: mostly(name), redacted: option(time) }), {
  maxLength: 2,
});
const bytes = fc.oneof(
  fc.record({ text: mostly(name) }),
  fc.record({ base64: mostly(fc.constantFrom('', '====', 'AAAA', '!', 'AA')) }),
);

/** A line of a trace file: of every type, with any of its members, some of the wrong kind. */
const line = fc
  .record({
    type: fc.constantFrom(
      'call',
      'call',
      'call',
      'identity',
      'head',
      'wire',
      'note',
      'attributes',
      'end',
      '__proto__',
    ),
    call: mostly(name),
    at: mostly(time),
    seq: option(fc.constantFrom(1, 2, 3, 2 ** 53 - 1)),
    trace: mostly(name),
    parent: option(name),
    agent: mostly(name),
    from: option(name),
    protocol: mostly(fc.constantFrom('mcp', 'aio', 'other')),
    title: mostly(name),
    source: option(fc.record({ uri: name, line: time })),
    names: option(fc.array(carried, { maxLength: 3 })),
    session: option(name),
    seen: option(fc.constantFrom('between', 'callee')),
    reported: option(fc.constant(true)),
    back: option(fc.constant(true)),
    direction: mostly(fc.constantFrom('out', 'in', 'stderr')),
    line: mostly(name),
    headers: mostly(headers),
    bytes: mostly(bytes),
    redacted: option(fc.array(fc.record({ at: time, length: time }), { maxLength: 2 })),
    text: mostly(name),
    attributes: mostly(
      fc.array(fc.record({ name, json: fc.constantFrom('{', '1', '"x"', '') }), { maxLength: 2 }),
    ),
    status: mostly(fc.constantFrom('ok', 'error', 'cancelled', 'incomplete')),
    code: option(name),
    message: option(name),
    usage: option(fc.record({ input: time, output: time })),
  })
  .map(members => JSON.stringify(members));

/** Some lines of a trace file, but for its first one. */
export const hostileLines: fc.Arbitrary<readonly string[]> = fc.array(line, { minLength: 1, maxLength: 30 });
