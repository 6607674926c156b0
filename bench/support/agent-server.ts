import { createServer } from 'node:http';

/**
 * An agent for benchmarks, run as a process of its own so that its work is not measured: `/small` answers one AICF line,
 * `/rpc` one JSON-RPC result, `/slow` an AICF line after a moment, `/large?bytes=N` a stream of that many bytes and
 * `/events?bytes=N` one of the Agent API. Prints its port.
 */
const TEXT = 'The quick brown fox jumps over the lazy dog. '.repeat(180);
const LINE = `STREAM|${TEXT}\n`;
const RESPONSE = '"object":"response","id":"response_1","session_id":"s1"';
const SLOW = 50;

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost');
  request.resume();
  request.on('end', () => {
    if (url.pathname === '/rpc') {
      response.setHeader('content-type', 'application/json');
      response.end('{"jsonrpc":"2.0","id":1,"result":{"success":true,"data":3}}');
    } else if (url.pathname === '/large') {
      response.setHeader('content-type', 'text/plain; charset=utf-8');
      stream(
        Number(url.searchParams.get('bytes')),
        () => LINE,
        () => 'END\n',
      );
    } else if (url.pathname === '/events') {
      response.setHeader('content-type', 'text/event-stream');
      let number = 0;
      const event = (members: string): string => `data: {"sequence_number":${number++},${members}}\n\n`;
      response.write(event(`${RESPONSE},"status":"in_progress"`));
      stream(
        Number(url.searchParams.get('bytes')),
        () =>
          event(
            `"object":"content","status":"in_progress","type":"text","index":0,"delta":true,"msg_id":"msg_1","text":"${TEXT}"`,
          ),
        () => event(`${RESPONSE},"status":"completed"`),
      );
    } else {
      response.setHeader('content-type', 'text/plain; charset=utf-8');
      setTimeout(() => response.end('OK|3'), url.pathname === '/slow' ? SLOW : 0);
    }
  });

  function stream(bytes: number, next: () => string, last: () => string): void {
    let left = bytes;
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
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address) process.stdout.write(`${address.port}\n`);
});
