import { Agent, request } from 'node:http';

/**
 * A caller for benchmarks in a separate process. Sends a number of requests to a URL, several in parallel,
 * and prints the total time and then the time of each one in milliseconds, one for each line. Arguments: URL,
 * number of requests, number in parallel.
 */
const [address = '', times = '1', atOnce = '1'] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: Number(atOnce) });
const BODY =
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"math.add","arguments":{"a":1}}}';

/** Reads and discards the reply, because the caller's processing is not measured. */
function ask(): Promise<number> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const asked = request(
      address,
      { method: 'POST', agent, headers: { 'content-length': BODY.length } },
      reply => {
        reply.on('data', () => undefined);
        reply.on('end', () => resolve(performance.now() - start));
        reply.on('error', reject);
      },
    );
    asked.on('error', reject);
    asked.end(BODY);
  });
}

async function askAll(count: number): Promise<{ readonly all: number; readonly each: readonly number[] }> {
  const each: number[] = [];
  let left = count;
  const start = performance.now();
  const worker = async (): Promise<void> => {
    while (left-- > 0) each.push(await ask());
  };
  await Promise.all(Array.from({ length: Number(atOnce) }, worker));
  return { all: performance.now() - start, each };
}

// Warms up code and connections.
if (Number(times) > 1) await askAll(50);
const { all, each } = await askAll(Number(times));
process.stdout.write([all, ...each].join('\n'));
agent.destroy();
