import type { Serve } from './serving.ts';

/** One of two formats in which an agent is served at the same addresses. */
export interface Twin {
  readonly serve: Serve;
  /** Matches the beginning of requests that only this format has. */
  readonly begins: RegExp;
}

/**
 * Serves an agent in two formats with an address each. Both addresses take both formats: how a request begins decides,
 * and the address where that does not.
 */
export function serveTwins(main: Twin, other: Twin): Serve {
  return (agent, host) => {
    const twins = [main, other].map(({ serve, begins }) => ({ server: serve(agent, host), begins }));
    const paths = twins.map(({ server }) => server.path);
    return {
      path: paths[0] ?? '',
      async answer(request, reply) {
        const found = twins.find(({ server }) => server.path === request.path);
        if (!found) {
          const text = `There is nothing here; the endpoints are ${paths.toSorted().join(' and ')}`;
          return reply.send(404, 'text/plain', text);
        }
        if (request.method !== 'POST')
          return reply.send(405, 'text/plain', 'Send a POST request', { allow: 'POST' });
        const { server } = twins.find(({ begins }) => begins.test(request.body)) ?? found;
        return server.answer(request, reply);
      },
    };
  };
}
