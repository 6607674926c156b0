import fc from 'fast-check';
import type { CallEvent, TraceEvent, TraceName, TraceProtocol } from '../../../../core/events/events.ts';
import { isSecretPath } from '../../../../core/secrets/secret-name.ts';

/** Texts that formats trip over: markup, formulas, line ends, names of prototypes, halves of characters. */
const TEXTS = [
  'math.add',
  'tools/list',
  'end',
  '<script>alert(1)</script>',
  '=HYPERLINK("http://x")',
  '__proto__',
  'a;b#c%%d"e\'f\nparticipant x',
  '[x](javascript:alert(1)) ``` |',
  '\u202egnp.exe',
  'é 漢 😀',
  '',
];

const text = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ maxLength: 12 }));
/** Among them some that exports add themselves, and none whose value is a credential, which is not loaded. */
const attribute = fc
  .oneof(text, fc.constantFrom('gen_ai.agent.name', 'error.type'))
  .filter(name => !isSecretPath(name));
const hex = (digits: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...'0123456789abcdef'), { minLength: digits, maxLength: digits })
    .map(found => found.join(''));

/** Milliseconds: of our days with fractions, small ones, and those that no clock tells. */
const time = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 40_000 }).map(ticks => 1_760_000_000_000 + ticks / 8) },
  { weight: 3, arbitrary: fc.constantFrom(1_760_000_000_000, 1_760_000_000_500) },
  { weight: 1, arbitrary: fc.constantFrom(0, -5, 1e15, 1.5) },
);

const PROTOCOLS: readonly TraceProtocol[] = [
  'aicl',
  'aicf',
  'json-rpc',
  'aio',
  'mcp',
  'agent-api',
  'a2a',
  'other',
];

const name: fc.Arbitrary<TraceName> = fc.oneof(
  fc.record({
    scheme: fc.constant('aio' as const),
    trace: fc.constantFrom('AIO-TR-20250326-0001', 'x'),
    id: text,
  }),
  fc.record({ scheme: fc.constant('openstarry' as const), trace: fc.constant('star'), depth: fc.nat(9) }),
);

interface Drawn {
  readonly events: readonly TraceEvent[];
}

/** The events of some calls: most with a parent among the ones before, some in loops, orphans, ids that are used again. */
export const anyTrace: fc.Arbitrary<readonly TraceEvent[]> = fc
  .array(anyCall(), { minLength: 1, maxLength: 12 })
  .chain(drawn =>
    fc.tuple(
      fc.constant(drawn),
      fc.array(fc.option(fc.nat(drawn.length), { nil: undefined }), {
        minLength: drawn.length,
        maxLength: drawn.length,
      }),
    ),
  )
  .map(([drawn, parents]) =>
    // What is drawn has no prototype; what is read has one.
    structuredClone(drawn).flatMap(({ events }, index) => {
      const parent = parents[index];
      const above = parent === undefined ? undefined : (drawn[parent]?.events[0]?.call ?? 'nowhere');
      return events.map(event =>
        event.type === 'call' && above !== undefined ? { ...event, parent: above } : event,
      );
    }),
  );

function anyCall(): fc.Arbitrary<Drawn> {
  return fc
    .record({
      id: fc.oneof(
        { weight: 6, arbitrary: hex(16) },
        { weight: 1, arbitrary: text },
        { weight: 2, arbitrary: fc.constantFrom('00f067aa0ba902b7', '00f067aa0ba902b8') },
      ),
      trace: fc.oneof(fc.constantFrom('4bf92f3577b34da6a3ce929d0e0e4736', 'AIO-TR-20250326-0001'), hex(32)),
      at: time,
      took: fc.option(
        fc.integer({ min: 0, max: 4_000 }).map(ticks => ticks / 8),
        { nil: undefined },
      ),
      agent: fc.oneof(fc.constantFrom('planner', 'booker'), text),
      from: fc.option(text, { nil: undefined }),
      protocol: fc.constantFrom(...PROTOCOLS),
      title: text,
      names: fc.option(fc.array(name, { maxLength: 2 }), { nil: undefined }),
      session: fc.option(text, { nil: undefined }),
      source: fc.option(fc.record({ uri: text, line: fc.nat(9) }), { nil: undefined }),
      seen: fc.constantFrom('between' as const, 'callee' as const, undefined),
      reported: fc.constantFrom(true as const, undefined, undefined),
      back: fc.constantFrom(true as const, undefined, undefined, undefined),
      status: fc.constantFrom('ok' as const, 'error' as const, 'cancelled' as const, 'incomplete' as const),
      code: fc.option(text, { nil: undefined }),
      message: fc.option(text, { nil: undefined }),
      usage: fc.option(fc.record({ input: fc.nat(), output: fc.nat() }), { nil: undefined }),
      notes: fc.array(text, { maxLength: 2 }),
      attributes: fc.array(fc.record({ name: attribute, json: fc.json({ maxDepth: 2 }) }), { maxLength: 2 }),
      request: text,
      reply: fc.oneof(text, fc.json()),
    })
    .map(drawn => ({ events: eventsOf(drawn) }));
}

interface DrawnCall extends Required<Pick<CallEvent, 'trace' | 'at' | 'agent' | 'protocol' | 'title'>> {
  readonly id: string;
  readonly took: number | undefined;
  readonly from: string | undefined;
  readonly names: readonly TraceName[] | undefined;
  readonly session: string | undefined;
  readonly source: { readonly uri: string; readonly line: number } | undefined;
  readonly seen: 'between' | 'callee' | undefined;
  readonly reported: true | undefined;
  readonly back: true | undefined;
  readonly status: 'ok' | 'error' | 'cancelled' | 'incomplete';
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly usage: { readonly input: number; readonly output: number } | undefined;
  readonly notes: readonly string[];
  readonly attributes: readonly { readonly name: string; readonly json: string }[];
  readonly request: string;
  readonly reply: string;
}

function eventsOf(drawn: DrawnCall): readonly TraceEvent[] {
  const { id: call, at, took, attributes, notes, request, reply } = drawn;
  const { trace, agent, from, protocol, title, names, session, source, seen, reported, back } = drawn;
  const { status, code, message, usage } = drawn;
  const until = at + (took ?? 0);
  const lines = { out: 'POST http://127.0.0.1:65001/a?b=c', in: '200 OK' } as const;
  return [
    {
      type: 'call',
      call,
      trace,
      at,
      agent,
      protocol,
      title,
      ...pick({ from, names, session, source, seen, reported, back }),
    },
    { type: 'head', call, at, direction: 'out', line: lines.out, headers: [{ name: 'a', value: 'b' }] },
    ...(request === ''
      ? []
      : [{ type: 'wire', call, at, direction: 'out', bytes: { text: request } } as const]),
    { type: 'head', call, at: until, direction: 'in', line: lines.in, headers: [] },
    ...(reply === ''
      ? []
      : [{ type: 'wire', call, at: until, direction: 'in', bytes: { text: reply } } as const]),
    ...notes.map(words => ({ type: 'note', call, at, text: words }) as const),
    ...(attributes.length === 0 ? [] : [{ type: 'attributes', call, at, attributes } as const]),
    ...(took === undefined
      ? []
      : [{ type: 'end', call, at: until, status, ...pick({ code, message, usage }) } as const]),
  ];
}

/** The members that are there. */
function pick<Members extends object>(
  members: Members,
): { [Name in keyof Members]?: NonNullable<Members[Name]> } {
  // Members without a value are what is taken out.
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Members]?: NonNullable<Members[Name]>;
  };
}
