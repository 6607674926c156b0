import { Agent, createServer, request } from 'node:http';
import { connect, createServer as createTcpServer } from 'node:net';

/**
 * Proxies for benchmarks in a separate process. `http PORT` is a minimal proxy with Node's http module; `tcp
 * PORT` connects two sockets without reading the data. Prints its port.
 */
const [kind, port = ''] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });

const http = createServer((asked, answer) => {
  const { method, url: path, headers } = asked;
  const forward = request({ host: '127.0.0.1', port, method, path, headers, agent }, reply => {
    answer.writeHead(reply.statusCode ?? 502, reply.headers);
    reply.pipe(answer);
  });
  forward.on('error', () => answer.destroy());
  asked.pipe(forward);
});

const tcp = createTcpServer({ noDelay: true }, client => {
  const agentSocket = connect({ port: Number(port), host: '127.0.0.1', noDelay: true });
  client.pipe(agentSocket).pipe(client);
  client.on('error', () => agentSocket.destroy());
  agentSocket.on('error', () => client.destroy());
});

const server = kind === 'tcp' ? tcp : http;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address) process.stdout.write(`${address.port}\n`);
});
