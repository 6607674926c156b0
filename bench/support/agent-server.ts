import { createServer, type ServerResponse } from 'node:http';
import {
  A2A_CARD,
  AICL_REPLY,
  answerMcp,
  writeA2aEvent,
  writeAiclText,
  writeText,
  writeMcpProgress,
} from './agent-answers.ts';

/**
 * An agent for benchmarks, which runs in a separate process so that its work is not measured. Prints its
 * port.
 *
 * - `/small`: one AICF line; `/slow`: the same after a delay.
 * - `/aicl`: one AICL message; `/rpc`: one JSON-RPC result; `/mcp`: MCP; `/a2a`: one A2A event.
 * - `/large?bytes=N`: a stream of AICF lines; `/aicl/large?bytes=N`: of AICL messages.
 * - `/events?bytes=N`: a stream of the Agent API; with `&speed=M` at M bytes a millisecond; `/a2a/large?bytes=N`: of A2A.
 * - `/mcp/large?bytes=N`: a stream of MCP progress notifications before the result.
 * - `/body?bytes=N`: one reply of that length.
 * - `/text/PROTOCOL?bytes=N`: one reply with a text of that length.
 */
const TEXT = 'The quick brown fox jumps over the lazy dog. '.repeat(180);
const LINE = `STREAM|${TEXT}\n`;
const PAGE = Buffer.from(TEXT.repeat(7));
const RESULT = ['{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"', '"}]}}'] as const;
const RESPONSE = '"object":"response","id":"response_1","session_id":"s1"';
const SLOW = 50;
/** The size of the A2A stream, for which the agent card needs a fixed number. */
const LARGE = 100 * 2 ** 20;
/** The size of the text of the A2A agent at `/text`, for the same reason. */
const TEXT_SIZE = 20 * 2 ** 20;

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

/** Writes an MCP tool result of `bytes` bytes, respecting back-pressure. */
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
    const answer = url.pathname.startsWith('/text/') ? answerText : ANSWERS[url.pathname];
    // MCP's client requests a stream of its own, which this agent does not support.
    if (!answer || (url.pathname.includes('/mcp') && request.method === 'GET')) response.writeHead(405).end();
    else answer(response, Buffer.concat(pieces).toString(), url);
  });
});

function answerText(response: ServerResponse, body: string, url: URL): void {
  const [, , protocol = '', ...more] = url.pathname.split('/');
  // The client asks for the card of an A2A agent without the query.
  if (more.length > 0)
    return end(response, JSON_TYPE, A2A_CARD.replace('URL', `${url.origin}/text/a2a?bytes=${TEXT_SIZE}`));
  const text = 'x'.repeat(Number(url.searchParams.get('bytes')));
  const answer = writeText(protocol, body, text);
  if (answer === undefined) response.writeHead(202).end();
  else
    end(
      response,
      answer.startsWith('{') ? JSON_TYPE : answer.startsWith('data:') ? EVENTS_TYPE : 'text/plain',
      answer,
    );
}

function end(response: ServerResponse, type: string, body: string): void {
  response.setHeader('content-type', type);
  response.end(body);
}

function stream(
  response: ServerResponse,
  url: URL,
  { next, last }: { readonly next: () => string; readonly last: () => string },
): void {
  const all = Number(url.searchParams.get('bytes'));
  const speed = Number(url.searchParams.get('speed') ?? Infinity);
  const begun = performance.now();
  let written = 0;
  const more = (): void => {
    while (written < all) {
      if (written > speed * (performance.now() - begun)) return void setTimeout(more, 1);
      const piece = next();
      written += piece.length;
      if (!response.write(piece)) return void response.once('drain', more);
    }
    response.end(last());
  };
  more();
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address) process.stdout.write(`${address.port}\n`);
});
