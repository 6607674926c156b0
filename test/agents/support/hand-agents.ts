import type { ProtocolName } from '../../../core/catalog/protocols.ts';
import type { Socket } from 'node:net';
import type { StdioMode } from '../../../agents/config/agent-config.ts';
import { connectAgent } from '../../../agents/all.ts';
import type { StdioProtocolName } from '../../../core/catalog/protocols.ts';
import { partOf, type ContractRow, type Exchange } from './contract.ts';
import { reply, startRawAgent, type RawAgent } from './raw-agent.ts';
import { agentAt } from './send.ts';
import { scriptAgent } from './stdio-agent.ts';

/** What agents answer with bytes written by hand; they know nothing of Parley. */
export interface HandScript extends Omit<ContractRow, 'name' | 'open' | 'stream'> {
  /** What it is asked before, by a part of the question, and its answers. */
  readonly greeting?: readonly (readonly [holds: string, answer: string])[];
  /** A reply in pieces, which are all of it; or `last` alone, after pieces with `marks` that only tell of it. */
  readonly stream?: {
    readonly request: string;
    readonly pieces: readonly string[];
    readonly last?: string;
    readonly marks?: readonly string[];
  };
}

/** Milliseconds between two pieces. */
const PAUSE = 50;

/** A row of the contract for an agent over HTTP. */
export function handRowOverHttp(name: string, protocol: ProtocolName, script: HandScript): ContractRow {
  return {
    ...rowOf(name, script),
    open: async () => {
      const first = await startHandAgent(script);
      let agent = first;
      const connection = connectAgent(agentAt(protocol, `${agent.origin}/`));
      return {
        connection,
        kind: 'server',
        leave: () => agent.close(),
        comeBack: async () => void (agent = await startHandAgent(script, first.port)),
        end: () => agent.close(),
      };
    },
  };
}

/** A row of the contract for an agent that is a process. */
export function handRowAsProcess(
  name: string,
  protocol: StdioProtocolName,
  script: HandScript,
  mode?: StdioMode,
): ContractRow {
  const nothing = (): Promise<void> => Promise.resolve();
  return {
    ...rowOf(name, script),
    open: () => {
      const agent = scriptAgent(writeProgram(script, mode), { protocol, ...(mode ? { mode } : {}) });
      const connection = connectAgent(agent);
      return Promise.resolve({
        connection,
        kind: 'process',
        leave: nothing,
        comeBack: nothing,
        end: nothing,
      });
    },
  };
}

function rowOf(name: string, { stream, greeting: _, ...script }: HandScript): Omit<ContractRow, 'open'> {
  if (!stream) return { ...script, name };
  const { request, pieces, last, marks = pieces.map(piece => piece.trim()) } = stream;
  return {
    ...script,
    name,
    stream: {
      request,
      answer: last ?? pieces.join(''),
      marks,
      seen: last === undefined ? 'reported' : 'bytes',
    },
  };
}

/** What it answers, by a part of the request: one piece, or several. Nothing is an empty body. */
function listAnswers(script: HandScript): readonly (readonly [holds: string, pieces: readonly string[]])[] {
  const { list, call, failure, slow, stream, greeting = [] } = script;
  const whole = [list, call, failure].flatMap((exchange): [string, readonly string[]][] =>
    exchange ? [[partOf(exchange.request), [bytesOf(exchange)]]] : [],
  );
  return [
    ...greeting.map(([holds, answer]) => [holds, [answer]] as const),
    ...whole,
    ...(slow ? [[partOf(slow.request), halve(bytesOf(slow))] as const] : []),
    ...(stream ? [[partOf(stream.request), stream.pieces] as const] : []),
  ];
}

function bytesOf({ answer, bytes = answer }: Exchange): string {
  return bytes;
}

function halve(text: string): readonly string[] {
  const middle = Math.floor(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}

/** Starts an agent over HTTP. A request that its script does not know is answered by `otherwise`, or never. */
export async function startHandAgent(
  script: HandScript,
  port = 0,
  otherwise: (socket: Socket, body: string) => void = () => undefined,
): Promise<RawAgent> {
  const answers = listAnswers(script);
  const agent: RawAgent = await startRawAgent(async (socket, index) => {
    const request = agent.requests[index] ?? '';
    const body = request.replace(/^[^]*?\r\n\r\n/, '');
    const id = /"id":("[^"]*"|\d+)/.exec(body)?.[1] ?? '1';
    const found = answers.find(([part]) => (body === '' ? request : body).includes(part))?.[1];
    const pieces = found?.map(piece =>
      piece.replaceAll('ORIGIN', agent.origin).replace('"id":ID', `"id":${id}`).replace('TOKEN', id),
    );
    if (!pieces) {
      if (request.startsWith('POST ')) otherwise(socket, body);
      else socket.end(reply('', '405 Method Not Allowed'));
      return;
    }
    const [first = '', ...more] = pieces;
    if (more.length > 0) await writePieces(socket, pieces);
    else if (first === '') socket.end(reply('', '202 Accepted'));
    else socket.end(reply(first, '200 OK', typeOf(first)));
  }, port);
  return agent;
}

function typeOf(answer: string): string {
  if (/^(?:data|event):/.test(answer)) return 'text/event-stream';
  return answer.startsWith('{') ? 'application/json' : 'text/plain';
}

async function writePieces(socket: Socket, pieces: readonly string[]): Promise<void> {
  socket.write(`HTTP/1.1 200 OK\r\nContent-Type: ${typeOf(pieces.join(''))}\r\n\r\n`);
  for (const piece of pieces) {
    socket.write(piece);
    await new Promise(resolve => setTimeout(resolve, PAUSE));
  }
  socket.end();
}

/** The program of an agent. One that is asked once waits after the end of its input too. */
function writeProgram(script: HandScript, mode: StdioMode | undefined): string {
  const act = `const answers = ${JSON.stringify(listAnswers(script))};
    const act = text => {
      const found = answers.find(([part]) => text.includes(part))?.[1];
      const id = /"id":("[^"]*"|\\d+)/.exec(text)?.[1];
      if (!found) return void (${mode === 'one-shot'} && setInterval(() => undefined, 1000));
      found.forEach((piece, index) => setTimeout(() => {
        const isLast = index === found.length - 1;
        if (piece !== '') say(piece.replace('"id":ID', '"id":' + id).replace('TOKEN', id) + (isLast ? '\\n' : ''));
      }, ${PAUSE} * index));
    };`;
  const whole = `let all = ''; process.stdin.on('data', piece => (all += piece)).on('end', () => act(all));`;
  return mode === 'one-shot' ? act + whole : `${act} on(act);`;
}
