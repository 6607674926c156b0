import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { connectAio } from '../../../agents/aio/connection.ts';
import type { StdioMode } from '../../../agents/config/agent-config.ts';
import type { Connection, Reply } from '../../../agents/connection.ts';
import { DEFAULT_STDIO_LIMITS, type StdioLimits } from '../../../agents/stdio/limits.ts';
import { until } from '../support/raw-agent.ts';
import { sendTo, type Sent } from '../support/send.ts';
import { isAlive, scriptAgent } from '../support/stdio-agent.ts';
import { sized } from '../../support/size.ts';

const ASK = '{"method":"agent::go"}';
/** The request that is attacked. */
const ATTACKED = ASK.replace('{', '{"id":1000,');
const FINE = '{"result":"fine"}';
const OK: Reply = { status: 'ok', isProtocol: true, text: FINE };
const TOLD = { status: 'error', isProtocol: false, text: '' } as const;

interface Attack {
  readonly name: string;
  /** What the process does at the first request after `help`; at later ones, and when it is started anew, it answers. */
  readonly script: string;
  /** LINE is replaced by the command line. */
  readonly reply: Reply;
  readonly notes?: readonly string[];
  readonly limits?: Partial<StdioLimits>;
  readonly timeout?: number;
  readonly mode?: StdioMode;
}

const FOREIGN = (text: string): string =>
  `The agent wrote text to its output that is not a valid AIO reply, beginning '${text}'; logs belong to its error output`;

const LATE =
  'More data arrived after the call had ended; it was recorded with this call and not used as a reply to another request';

const ATTACKS: readonly Attack[] = [
  {
    name: 'splits its reply at every byte',
    script: `for (const each of FINE + '\\n') require('node:fs').writeSync(1, each);`,
    reply: OK,
  },
  {
    name: 'begins with a BOM and ends lines with CR LF',
    script: `say('\\ufeff' + FINE + '\\r\\n');`,
    reply: OK,
  },
  {
    name: 'writes empty lines and logs before its reply',
    script: `say('\\n\\nstarting\\n' + FINE + '\\n');`,
    reply: OK,
    notes: [FOREIGN('starting')],
  },
  {
    name: 'sends a notification and a request of its own first',
    script: `say('{"method":"x::progress"}\\n{"id":1,"method":"x::ask"}\\n' + FINE + '\\n');`,
    reply: OK,
    notes: [FOREIGN('{"method":"x::progress"}⏎{"id":1,"method…')],
  },
  {
    name: 'sends bytes that are not UTF-8',
    script: `process.stdout.write(Buffer.from([...Buffer.from('{"result":"'), 0xff, ...Buffer.from('"}\\n')]));`,
    reply: { ...OK, text: '{"result":"\ufffd"}' },
    notes: ['The reply is not UTF-8; invalid bytes are shown as U+FFFD'],
  },
  {
    name: 'answers with an id of no request',
    script: `say('{"id":"abc","result":"fine"}\\n');`,
    reply: { ...OK, text: '{"id":"abc","result":"fine"}' },
    notes: [
      "A reply with the id 'abc' came, which no open request has; it was treated as the reply to the oldest one",
    ],
  },
  {
    name: 'answers twice',
    script: `say('{"id":' + request.id + ',"result":1}\\n{"id":' + request.id + ',"result":2}\\n');`,
    reply: { ...OK, text: '{"id":1000,"result":1}' },
    notes: ['Another reply arrived after the first one; it was recorded with this call'],
  },
  {
    name: 'answers twice without naming the request',
    script: `say('{"result":"fine"}\\n{"result":"more"}\\n');`,
    reply: OK,
    notes: [LATE],
  },
  {
    name: 'writes a line after its reply',
    script: `say(FINE + '\\ndone\\n');`,
    reply: OK,
    notes: [LATE],
  },
  {
    name: 'exits in the middle of its reply',
    script: `say('{"result":"fi'); process.exitCode = 4; process.stdin.destroy();`,
    reply: {
      status: 'incomplete',
      isProtocol: true,
      text: '{"result":"fi',
      code: 'EXIT 4',
      message:
        'Tried LINE: a part of a message came, then the process ended with exit code 4; it wrote nothing to its error output',
    },
  },
  {
    name: 'exits without an answer',
    script: `warn('ValueError: no key\\n'); process.exit(3);`,
    reply: {
      ...TOLD,
      code: 'EXIT 3',
      message:
        "Tried LINE, but the process ended with exit code 3 before it answered; its error output says 'ValueError: no key'",
    },
  },
  {
    name: 'leaves out the end of its last line and exits',
    script: `say(FINE); process.stdin.destroy();`,
    reply: OK,
  },
  {
    name: 'writes text alone, and waits',
    script: `say('Hello, what can I do?\\n');`,
    timeout: 300,
    reply: {
      ...TOLD,
      text: 'Hello, what can I do?',
      code: 'TIMEOUT',
      message:
        "Tried LINE, but no reply came within 300 ms; wait for the agent or raise its 'timeout'. What it wrote to its output is not a valid AIO reply: 'Hello, what can I do?'",
    },
    notes: [FOREIGN('Hello, what can I do?')],
  },
  {
    name: 'floods its output without a line end',
    script: `const flood = () => process.stdout.write('{'.repeat(65536), flood); flood();`,
    limits: { maxBytes: 1 << 20 },
    reply: {
      status: 'incomplete',
      isProtocol: true,
      text: '',
      code: 'TOO_LONG',
      message: 'Tried LINE: it wrote more than 1 MiB and was terminated there; request less',
    },
  },
  {
    name: 'floods its output with lines',
    script: `const flood = () => process.stdout.write('{}\\n'.repeat(20000), flood); flood();`,
    limits: { maxBytes: sized(1 << 20, 1 << 16) },
    reply: { ...TOLD, code: 'TOO_LONG', message: '' },
  },
  {
    name: 'floods its error output',
    script: `warn('x'.repeat(65536).repeat(64)); say(FINE + '\\n');`,
    reply: OK,
  },
  {
    name: 'ignores SIGTERM and never answers',
    script: `process.on('SIGTERM', () => undefined); setInterval(() => undefined, 1000);`,
    timeout: 300,
    reply: {
      ...TOLD,
      code: 'TIMEOUT',
      message: "Tried LINE, but no reply came within 300 ms; wait for the agent or raise its 'timeout'",
    },
  },
  {
    name: 'nests deeper than anybody reads',
    script: `say('{"result":' + '['.repeat(5000) + ']'.repeat(5000) + '}\\n');`,
    reply: { ...OK, text: `{"result":${'['.repeat(5000)}${']'.repeat(5000)}}` },
  },
  {
    name: 'one-shot: exits without output',
    mode: 'one-shot',
    script: `process.exit(0);`,
    reply: {
      ...TOLD,
      code: 'EXIT 0',
      message:
        'Tried LINE, but the process ended with exit code 0 before it answered; it wrote nothing to its error output',
    },
  },
  {
    name: 'one-shot: writes text that is no JSON',
    mode: 'one-shot',
    script: `say('usage: agent [options]');`,
    reply: {
      ...TOLD,
      text: 'usage: agent [options]',
      code: 'EXIT 0',
      message:
        "Tried LINE, but the process ended with exit code 0 before it answered; it wrote nothing to its error output. What it wrote to its output is not a valid AIO reply: 'usage: agent [options]'",
    },
    notes: [FOREIGN('usage: agent [options]')],
  },
  {
    name: 'one-shot: floods its output',
    mode: 'one-shot',
    script: `const flood = () => process.stdout.write('x'.repeat(65536), flood); flood();`,
    limits: { maxBytes: 1 << 20 },
    reply: { ...TOLD, code: 'TOO_LONG', message: '' },
  },
  {
    name: 'one-shot: answers twice',
    mode: 'one-shot',
    script: `say('starting\\n' + FINE + '\\n{\\n"result": 2\\n}\\n' + FINE + '\\n');`,
    reply: OK,
    notes: [
      'The process wrote 3 replies, but one process may write only one: the first counts, the rest is in the raw reply',
      FOREIGN('starting'),
    ],
  },
  {
    name: 'one-shot: answers twice in one line',
    mode: 'one-shot',
    script: `say(FINE + FINE);`,
    reply: OK,
    notes: [
      'The process wrote 2 replies, but one process may write only one: the first counts, the rest is in the raw reply',
    ],
  },
  {
    name: 'one-shot: says something after its reply',
    mode: 'one-shot',
    script: `say('{\\n"result":\\n"fine"}\\nbye\\n');`,
    reply: { ...OK, text: '{\n"result":\n"fine"}' },
    notes: [FOREIGN('bye')],
  },
  {
    name: 'one-shot: never ends',
    mode: 'one-shot',
    script: `say(FINE); setInterval(() => undefined, 1000); process.on('SIGTERM', () => undefined);`,
    reply: OK,
    notes: ['The process did not end after its reply and was terminated'],
  },
];

const open = new Set<Connection>();

function connect(
  script: string,
  mode: StdioMode,
  limits: Partial<StdioLimits> = {},
): { readonly connection: Connection; readonly line: string } {
  const act = `warn('pid ' + process.pid + '\\n'); const FINE = ${JSON.stringify(FINE)};
    if (request.method.endsWith('help')) return say('{"result":{"type":"stdio"}}\\n');
    if (request.id === 1000) { ${script} } else say(FINE + '\\n');`;
  const reading =
    mode === 'lines'
      ? `on(line => { const request = JSON.parse(line); ${act} });`
      : `let text = ''; process.stdin.on('data', piece => (text += piece)).on('end', () => { const request = JSON.parse(text); ${act} });`;
  const agent = scriptAgent(reading, { protocol: 'aio', mode });
  const stdio = { ...DEFAULT_STDIO_LIMITS, untilTerm: 200, untilKill: 200, ...limits };
  const connection = connectAio(agent, { stdio });
  open.add(connection);
  return { connection, line: [agent.command, ...agent.args].join(' ') };
}

/** The report on a reply: the command line is long, and is shortened in sentences. */
function shown({ message, text, ...rest }: Reply, attack: Attack): Reply {
  const line = /^Tried '[^]*?…'/;
  const reported = message
    ?.replace(line, 'Tried LINE')
    // The process always tells its id.
    .replace(/its error output says 'pid \d+'/, 'it wrote nothing to its error output');
  // How much came before a flood was ended differs.
  const isFlood = rest.code === 'TOO_LONG';
  return {
    ...rest,
    text: isFlood ? '' : text,
    ...(reported === undefined ? {} : { message: isFlood && attack.reply.message === '' ? '' : reported }),
  };
}

function notesOf({ observed }: Sent): readonly string[] {
  return observed.filter(line => line.startsWith('note: ')).map(line => line.slice(6));
}

function pidsOf({ observed }: Sent): readonly number[] {
  return observed.flatMap(line => [...line.matchAll(/pid (\d+)/g)].map(([, pid]) => Number(pid)));
}

describe('a hostile AIO agent that is a process', () => {
  afterEach(async () => {
    await Promise.all([...open].map(each => each.close()));
    open.clear();
  });

  for (const attack of ATTACKS)
    it(`${attack.name}: one sentence, the received part is stored, the next request works, and nothing is left behind`, async () => {
      const { connection } = connect(attack.script, attack.mode ?? 'lines', attack.limits);
      const greeted = await sendTo(connection, '{"method":"help"}');
      const { timeout } = attack;
      const sent = await sendTo(connection, ATTACKED, timeout === undefined ? {} : { timeout });
      assert.deepEqual(shown(sent.reply, attack), attack.reply);
      if (sent.reply.code !== 'TOO_LONG')
        assert.deepEqual(
          notesOf(sent).filter(note => !note.includes('error output than is kept')),
          attack.notes ?? [],
        );
      const next = await sendTo(connection, ASK);
      assert.deepEqual(next.reply, OK);
      await connection.close();
      open.delete(connection);
      const pids = [greeted, sent, next].flatMap(pidsOf);
      // A process that is ended at once may not have written its id.
      assert.ok(pids.length > 0);
      await until('no process is left', () => !pids.some(isAlive));
    });
});
