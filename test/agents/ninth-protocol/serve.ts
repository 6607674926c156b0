import { ServerCodec } from '../../../protocols/serving/codec.ts';
import { JSON_TYPE } from '../../../protocols/serving/http-replies.ts';
import type { ProtocolServer, ServedAgent, ServerHost } from '../../../protocols/serving/serving.ts';
import { TOY } from './protocol.ts';

/** Serves an agent to callers of the protocol of `protocol.ts`. */
export function serveToy(agent: ServedAgent, host: ServerHost): ProtocolServer {
  const codec = new ServerCodec(TOY, host.protocols);
  return {
    path: '/',
    async answer(request, reply) {
      const value = codec.parse(request.body);
      const asked = value && codec.read(value);
      if (!asked) return reply.send(400, JSON_TYPE, '{"failed":{"why":"Send one request"}}');
      const served = await agent.call(asked, { request }).reply;
      reply.send(200, JSON_TYPE, codec.print(codec.write(served.message, reply)));
    },
  };
}
