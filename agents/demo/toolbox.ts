import { findAicfCredential } from '../../protocols/aicf/protocol.ts';
import { ALL_PROTOCOLS } from '../../protocols/all.ts';
import { serveAip } from '../../protocols/servers.ts';
import type { HttpHost, HostRequest } from '../serving/http-host.ts';
import { RANDOM_IDS } from '../runtime.ts';
import { startDemoHost } from './demo-host.ts';
import { ServedTools } from './served-tools.ts';
import { TOOLBOX } from './tools.ts';

/** The running server refuses longer bodies with HTTP 413. */
const MAX_BODY = 100_000;

/**
 * Starts the demo agent `toolbox`: an AICF-RPC server (AICF-RPC 1.0, "HTTP Transport") with both endpoints, each of
 * which accepts both formats ("Server Requirements"). It accepts any credential but one.
 */
export function startToolbox(): Promise<HttpHost> {
  const host = { protocols: ALL_PROTOCOLS, origin: '', newId: RANDOM_IDS.newTrace, now: Date.now };
  const server = serveAip(new ServedTools('toolbox', TOOLBOX), host);
  return startDemoHost({
    maxBytes: MAX_BODY,
    async answer(request, reply) {
      const refused = findRefusal(request);
      if (refused) return reply.send(401, refused.contentType, refused.body);
      return server.answer(request, reply);
    },
  });
}

/** The credential that is refused, to show what a refusal looks like. */
const REFUSED = 'expired';

function findRefusal(
  request: HostRequest,
): { readonly contentType: string; readonly body: string } | undefined {
  const { body } = request;
  const isRpc = /^\s*[{[]/.test(body);
  const credential =
    (isRpc ? undefined : findAicfCredential(body)) ??
    request.header('authorization')?.replace(/^Bearer +/i, '');
  if (credential?.trim() !== REFUSED) return undefined;
  const protocol = ALL_PROTOCOLS.find(isRpc ? 'json-rpc' : 'aicf');
  return protocol?.refuse({ text: body, session: undefined }, 401, 'The credential is no longer valid');
}
