import { AiclReplyFold, type AiclReply } from '../../language/aicl/replies/reply.ts';

/** Reads a whole body. */
export function foldAiclReply(body: string): AiclReply {
  const fold = new AiclReplyFold();
  fold.push(body);
  return fold.end();
}
