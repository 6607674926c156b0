import type { ResolvedHttpAgent } from '../agents/config/resolve-agent.ts';
import type { TraceEvent } from '../core/events/events.ts';
import { SliceTurns } from '../core/text/slices.ts';
import { ALL_PROTOCOLS } from '../protocols/all.ts';
import { exportTraceText } from '../trace/export/export.ts';
import { TRACE_FORMATS } from '../trace/export/trace-formats.ts';
import { TraceFold } from '../trace/fold/fold.ts';
import type { LanguageId } from '../core/catalog/languages.ts';
import { findMedian, type Benchmark, type Row } from './benchmark.ts';
import { call, connectTo, startServer } from './support/agent-calls.ts';
import { findLongestTurn } from './support/longest-turn.ts';

const SIZE = 20 * 2 ** 20;
const RUNS = 3;
/** The longest time in milliseconds for which the extension host may not answer VS Code. */
const LONGEST_TURN = 100;
const TASK =
  '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s],[s:msg_type]:[s:task_request],[s:task]:[s:read],[s:constraints]:[d:]]';
const CALL = 'CALL|math.add|1|2';

const WAYS: readonly (readonly [ResolvedHttpAgent['protocol'], LanguageId, request: string])[] = [
  ['aicl', 'aicl', TASK],
  ['aicf', 'aicf', CALL],
  ['json-rpc', 'aicf', CALL],
  ['aio', 'aicf', CALL],
  ['mcp', 'aicf', CALL],
  ['a2a', 'aicl', TASK],
  ['agent-api', 'aicl', TASK],
  ['responses', 'aicl', TASK],
];

/** The processor time of the longest turn of the main thread while one text of 20 MB arrives, and is exported. */
export const benchmark: Benchmark = {
  title: 'The longest turn of the main thread while a reply with one text of 20 MB arrives and is exported',
  async measure() {
    const server = await startServer();
    try {
      const rows: Row[] = [];
      for (const [protocol, language, request] of WAYS) {
        const url = `${server.origin}/text/${protocol}?bytes=${SIZE}`;
        const turns: number[] = [];
        // The first run also compiles the code.
        for (let run = 0; run <= RUNS; run++) {
          const connection = connectTo(protocol, url, language);
          const turn = await findLongestTurn(() => call(connection, request, () => undefined));
          await connection.close();
          if (run > 0) turns.push(turn);
        }
        const medianMs = findMedian(turns);
        rows.push({ name: protocol, kind: 'ours', medianMs, runs: RUNS, maxMs: LONGEST_TURN });
      }
      return [...rows, ...(await measureExports())];
    } finally {
      server.stop();
    }
  },
};

/** Exports a call of AICL whose reply is one text. */
async function measureExports(): Promise<readonly Row[]> {
  const common = { call: 'a', at: 1 };
  const reply = `${TASK.slice(0, -1)},[s:result]:[s:${'x'.repeat(SIZE)}]]`;
  const events: readonly TraceEvent[] = [
    { type: 'call', ...common, trace: 't', agent: 'bench', protocol: 'aicl', title: 'read' },
    { type: 'wire', ...common, direction: 'out', bytes: { text: TASK } },
    { type: 'wire', ...common, direction: 'in', bytes: { text: reply } },
    { type: 'end', ...common, status: 'ok' },
  ];
  const fold = new TraceFold('counted');
  for (const event of events) fold.add(event);
  const from = {
    trees: fold.trees(),
    payload: () => Promise.resolve(events.flatMap(event => (event.type === 'wire' ? [event] : []))),
    protocols: ALL_PROTOCOLS,
    includesContent: true,
    countTexts: (texts: readonly string[]) => Promise.resolve(texts.map(() => 1)),
  };
  const host = {
    now: () => performance.now(),
    yieldToQueue: () => new Promise<void>(resolve => setImmediate(resolve)),
    isStopped: () => false,
  };
  const rows: Row[] = [];
  for (const { name } of TRACE_FORMATS) {
    const turns: number[] = [];
    for (let run = 0; run <= RUNS; run++) {
      const turn = await findLongestTurn(() => exportTraceText(name, from, new SliceTurns(host)));
      if (run > 0) turns.push(turn);
    }
    rows.push({
      name: `export to ${name}`,
      kind: 'ours',
      medianMs: findMedian(turns),
      runs: RUNS,
      maxMs: LONGEST_TURN,
    });
  }
  return rows;
}
