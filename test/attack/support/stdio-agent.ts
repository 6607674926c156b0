import { judge, inFolder, PLANTED, sizeIn, type Attack, type Expected, type Form } from './attack.ts';
import { findPlanted, requestFor } from './http-agent.ts';
import { runParley } from './measure.ts';

/** The protocols of agents that are processes. */
export type StdioProtocol = 'aicl' | 'aio' | 'mcp';

const STDIO_PROTOCOLS: readonly StdioProtocol[] = ['aicl', 'aio', 'mcp'];

/** What an agent that is a process does to its caller. */
export interface StdioAttack {
  readonly name: string;
  readonly does: string;
  /** All three without it. */
  readonly protocols?: readonly StdioProtocol[];
  /** The program; see PRELUDE for what it may use. */
  readonly script?: string;
  /** What the agent has in place of the program. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** How much it writes that counts as input, in bytes. */
  readonly input?: number;
  readonly expected: Expected;
  /** The time-out of the agent in seconds. */
  readonly timeout?: number;
  /** How often the request is in the file. */
  readonly requests?: number;
  readonly words?: readonly string[];
  /** A text in the request, so that it is as long as this. */
  readonly requestSize?: number;
  /** The protocol for which the gate runs the row. */
  readonly isMeasured?: true;
  readonly short?: StdioProtocol;
}

/** The rows of an attack: one for each protocol. */
export function stdioRows(attack: StdioAttack): readonly Attack[] {
  const { short, protocols = STDIO_PROTOCOLS } = attack;
  if (short !== undefined && !protocols.includes(short)) throw new Error(`'${attack.name}' has no ${short}`);
  return protocols.map(protocol => ({
    name: attack.name,
    group: 'stdio',
    protocol,
    does: attack.does,
    expected: attack.expected,
    isShort: short === protocol,
    isMeasured: attack.isMeasured ?? false,
    run: form => runStdio(attack, protocol, form),
  }));
}

/**
 * What every program may use. `on(act)` calls `act` with the id and the text of each call, and answers by itself what begins a
 * session; `whole(id, text)` is a result in the protocol's form; `flood` writes no faster than it is read; `size` is a number
 * of bytes, or a hundredth of it in the gate; `stay` keeps the process alive.
 */
const PRELUDE = `
const fs = require('node:fs');
const { spawn } = require('node:child_process');
const say = text => void process.stdout.write(text);
const warn = text => void process.stderr.write(text);
const stay = () => void setInterval(() => undefined, 1000);
const write = (stream, piece) => new Promise(done => stream.write(piece, done));
const flood = async (piece, bytes, stream = process.stdout) => {
  const one = Buffer.from(piece);
  const block = Buffer.concat(Array.from({ length: Math.max(1, Math.floor(Math.min(65536, bytes) / one.length)) }, () => one));
  for (let sent = 0; sent < bytes; sent += block.length) await write(stream, block);
};
const pause = ms => new Promise(done => setTimeout(done, ms));
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);
const rpc = (id, member) => '{"jsonrpc":"2.0","id":' + id + ',' + member + '}\\n';
const TOOL = '{"name":"echo","description":"echoes","inputSchema":{"type":"object","properties":{"a":{}}}}';
const whole = (id, text) => ({
  aicl: '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:1],[s:msg_type]:[s:result],[s:data]:[s:' + text + ']]\\n',
  aio: '{"id":' + id + ',"output":{"type":"text","value":' + JSON.stringify(text) + '}}\\n',
  mcp: rpc(id, '"result":{"content":[{"type":"text","text":' + JSON.stringify(text) + '}]}'),
})[PROTOCOL];
const greet = (id, line) => {
  if (PROTOCOL === 'aio') return line.includes('help') ? '{"result":{"type":"stdio","name":"x"}}\\n' : undefined;
  if (PROTOCOL === 'aicl') return undefined;
  if (line.includes('"server/discover"')) return rpc(id, '"error":{"code":-32601,"message":"no"}');
  if (line.includes('"initialize"')) return rpc(id, '"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}');
  if (line.includes('"tools/list"')) return rpc(id, '"result":{"tools":[' + TOOL + ']}');
  return line.includes('"id"') ? undefined : '';
};
const on = act => {
  let count = 0;
  require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
    const id = /"id":\\s*("[^"]*"|\\d+)/.exec(line)?.[1] ?? 'null';
    const greeting = greet(id, line);
    if (greeting === undefined) act(id, line, count++);
    else say(greeting);
  });
};
`;

async function runStdio(attack: StdioAttack, protocol: StdioProtocol, form: Form): ReturnType<Attack['run']> {
  const [name, text] = requestFor(protocol);
  const program = `const PROTOCOL = ${JSON.stringify(protocol)}; const size = bytes => Math.ceil(bytes / ${form === 'full' ? 1 : 100});
    ${PRELUDE}${attack.script ?? ''}`;
  const config = {
    protocol,
    type: 'stdio',
    command: process.execPath,
    args: ['agent.js'],
    env: { AGENT_KEY: '${env:PLANTED}' },
    timeout: attack.timeout ?? 30,
    ...attack.config,
  };
  const filled = attack.requestSize
    ? text
        .replace(/echo/, () => 'echo')
        .replace(/\[i:1\]|"a":1/, found =>
          found.startsWith('[')
            ? `[s:${'x'.repeat(sizeIn(form, attack.requestSize ?? 0))}]`
            : `"a":"${'x'.repeat(sizeIn(form, attack.requestSize ?? 0))}"`,
        )
    : text;
  const files = {
    'agents.json': JSON.stringify({ agents: { hostile: config } }),
    'agent.js': program,
    [name]: filled.repeat(attack.requests ?? 1),
  };
  return inFolder(files, async folder => {
    const words = attack.words ?? ['send', name, '--agent', 'hostile', '--trace', 't.agenttrace.jsonl'];
    const run = await runParley([...words, '--agents', 'agents.json'], {
      cwd: folder.path,
      env: { PLANTED },
      form,
    });
    const faults = await findPlanted(folder.path);
    return judge(run, attack.expected, {
      input: sizeIn(form, attack.input ?? 0) + (attack.requestSize ?? 0) + 1000,
      faults,
    });
  });
}
