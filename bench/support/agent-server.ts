import { createServer, type ServerResponse } from 'node:http';
import {
  A2A_CARD,
  AICL_REPLY,
  answerMcp,
  writeA2aEvent,
  writeAiclText,
  writeMcpProgress,
} from './agent-answers.ts';

/**
 * An agent for benchmarks, run as a process of its own so that its work is not measured: `/small` answers one AICF line,
 * `/aicl` one message of AICL, `/rpc` one JSON-RPC result, `/mcp` the methods of MCP, `/a2a` one event of A2A, `/slow` an
 * AICF line after a moment, `/large?bytes=N` a stream of that many bytes, `/aicl/large?bytes=N` one of messages of AICL,
 * `/events?bytes=N` one of the Agent API, `/body?bytes=N` one reply of that length, `/a2a/large?bytes=N` one of A2A and `/mcp/large?bytes=N` one of MCP that tells of
 * its progress before it answers. Prints its port.
 */
const TEXT = 'The quick brown fox jumps over the lazy dog. '.repeat(180);
const LINE = `STREAM|${TEXT}\n`;
const PAGE = Buffer.from(TEXT.repeat(7));
const RESULT = ['{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"', '"}]}}'] as const;
const RESPONSE = '"object":"response","id":"response_1","session_id":"s1"';
const SLOW = 50;
/** What the stream of A2A has: a card names no size. */
const LARGE = 100 * 2 ** 20;

type Answer = (response: ServerResponse, body: string, url: URL) => void;

const ANSWERS: Readonly<Record<string, Answer>> = {
  '/small': response => setTimeout(() => end(response, 'text/plain; charset=utf-8', 'OK|3'), 0),
  '/slow': response => setTimeout(() => end(response, 'text/plain; charset=utf-8', 'OK|3'), SLOW),
  '/aicl': response => end(response, 'text/plain; charset=utf-8', AICL_REPLY),
  '/rpc': response => end(response, JSON_TYPE, '{"jsonrpc":"2.0","id":1,"result":{"success":true,"data":3}}'),
  '/mcp': (response, body) => {
    const answer = answerMcp(body);
    if (answer === undefined) response.writeHead(202).end();
    else end(response, JSON_TYPE, answer);
  },
  '/mcp/large': (response, body, url) => {
    const answer = answerMcp(body);
    if (answer === undefined) response.writeHead(202).end();
    else if (!body.includes('"tools/call"')) end(response, JSON_TYPE, answer);
    else {
      response.setHeader('content-type', EVENTS_TYPE);
      let progress = 0;
      stream(response, url, {
        next: () => writeMcpProgress(progress++, TEXT),
        last: () => `data: ${answer}\n\n`,
      });
    }
  },
  '/aicl/large': (response, _, url) => {
    response.setHeader('content-type', 'text/plain; charset=utf-8');
    stream(response, url, { next: () => writeAiclText(TEXT), last: () => AICL_REPLY });
  },
  '/a2a/.well-known/agent-card.json': (response, _, url) =>
    end(response, JSON_TYPE, A2A_CARD.replace('URL', `${url.origin}/a2a`)),
  '/a2a/large/.well-known/agent-card.json': (response, _, url) =>
    end(response, JSON_TYPE, A2A_CARD.replace('URL', `${url.origin}/a2a/large?bytes=${LARGE}`)),
  '/a2a': (response, body) => end(response, EVENTS_TYPE, writeA2aEvent(body, 'message', '3')),
  '/a2a/large': (response, body, url) => {
    response.setHeader('content-type', EVENTS_TYPE);
    stream(response, url, {
      next: () => writeA2aEvent(body, 'artifact', TEXT),
      last: () => writeA2aEvent(body, 'end', ''),
    });
  },
  '/large': (response, _, url) => {
    response.setHeader('content-type', 'text/plain; charset=utf-8');
    stream(response, url, { next: () => LINE, last: () => 'END\n' });
  },
  '/body': (response, _, url) => {
    const bytes = Number(url.searchParams.get('bytes'));
    response.setHeader('content-type', JSON_TYPE);
    response.setHeader('content-length', bytes);
    writeResult(response, bytes);
  },
  '/events': (response, _, url) => {
    response.setHeader('content-type', EVENTS_TYPE);
    let number = 0;
    const event = (members: string): string => `data: {"sequence_number":${number++},${members}}\n\n`;
    response.write(event(`${RESPONSE},"status":"in_progress"`));
    stream(response, url, {
      next: () =>
        event(
          `"object":"content","status":"in_progress","type":"text","index":0,"delta":true,"msg_id":"msg_1","text":"${TEXT}"`,
        ),
      last: () => event(`${RESPONSE},"status":"completed"`),
    });
  },
};

const JSON_TYPE = 'application/json';
const EVENTS_TYPE = 'text/event-stream';

/** One result of an MCP tool of so many bytes with a length, written by as much as goes. */
function writeResult(response: ServerResponse, bytes: number): void {
  const [begin, end] = RESULT;
  let left = bytes - begin.length - end.length;
  response.write(begin);
  const more = (): void => {
    while (left > 0) {
      const piece = PAGE.subarray(0, left);
      left -= piece.length;
      if (!response.write(piece)) {
        response.once('drain', more);
        return;
      }
    }
    response.end(end);
  };
  more();
}

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', `http://${request.headers.host ?? 'localhost'}`);
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    const answer = ANSWERS[url.pathname];
    // MCP's client asks for a stream of its own, which this agent has not.
    if (!answer || (url.pathname.startsWith('/mcp') && request.method === 'GET'))
      response.writeHead(405).end();
    else answer(response, Buffer.concat(pieces).toString(), url);
  });
});

function end(response: ServerResponse, type: string, body: string): void {
  response.setHeader('content-type', type);
  response.end(body);
}

function stream(
  response: ServerResponse,
  url: URL,
  { next, last }: { readonly next: () => string; readonly last: () => string },
): void {
  let left = Number(url.searchParams.get('bytes'));
  const more = (): void => {
    while (left > 0) {
      const piece = next();
      left -= piece.length;
      if (!response.write(piece)) {
        response.once('drain', more);
        return;
      }
    }
    response.end(last());
  };
  more();
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address) process.stdout.write(`${address.port}\n`);
});
