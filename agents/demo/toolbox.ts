import { findAicfCredential } from '../../language/aicf/parse.ts';
import { AICF } from '../../protocols/aicf/protocol.ts';
import { ALL_PROTOCOLS } from '../../protocols/all.ts';
import type { HttpReply } from '../../protocols/protocol.ts';
import type { HostRequest } from '../serving/http-host.ts';
import { startServedDemo, type DemoHost } from './demo-host.ts';
import { serveTools } from './served-tools.ts';
import { TOOLBOX } from './tools.ts';

/** The running server refuses longer bodies with HTTP 413. */
const MAX_BODY = 100_000;

/**
 * Starts the demo agent `toolbox`: an AICF-RPC server (AICF-RPC 1.0, "HTTP Transport") with both endpoints, each of
 * which accepts both formats ("Server Requirements"). It accepts any credential but one.
 */
export function startToolbox(): Promise<DemoHost> {
  return startServedDemo(
    AICF,
    'toolbox',
    serveTools(AICF, 'toolbox', () => TOOLBOX),
    {
      maxBytes: MAX_BODY,
      async answer(server, request, reply) {
        const refused = findRefusal(request);
        if (refused) return reply.send(401, refused.contentType, refused.body);
        return server.answer(request, reply);
      },
    },
  );
}

/** The credential that is refused, to show what a refusal looks like. */
const REFUSED = 'expired';

function findRefusal(request: HostRequest): HttpReply | undefined {
  const { body } = request;
  const isRpc = /^\s*[{[]/.test(body);
  const credential =
    (isRpc ? undefined : findAicfCredential(body)) ??
    request.header('authorization')?.replace(/^Bearer +/i, '');
  if (credential?.trim() !== REFUSED) return undefined;
  const protocol = ALL_PROTOCOLS.find(isRpc ? 'json-rpc' : 'aicf');
  return protocol?.refuse({ text: body, session: undefined }, 401, 'The credential is no longer valid');
}
