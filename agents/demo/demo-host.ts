import { startHttpHost, type HttpHost, type HttpHostOptions } from '../serving/http-host.ts';

/** Serves a demo agent on a free port of the loopback interface, which callers may reach through another one. */
export async function startDemoHost(
  options: Pick<HttpHostOptions, 'maxBytes' | 'answer' | 'read'>,
): Promise<HttpHost> {
  const started = await startHttpHost({ ...options, name: 'The demo agent', takesAnyPort: true });
  if (!started.ok) throw new Error(started.message);
  return started.host;
}
