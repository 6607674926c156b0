import { afterEach, describe, it } from 'mocha';
import {
  breakReplies,
  BROKEN,
  CHUNKS,
  closeAll,
  HEADS,
  refuseChunks,
  refuseHeads,
  refuseReplies,
  REPLIES,
} from '../../../agents/proxy/framing-rows.ts';

describe('messages whose end readers could find at different places, all that are known', () => {
  afterEach(closeAll);

  it('are refused at the heads of requests', () => refuseHeads(HEADS));
  it('are refused within the chunks of requests', () => refuseChunks(CHUNKS));
  it('are 502 at the heads of replies', () => refuseReplies(REPLIES));
  it('break off within the chunks of replies', () => breakReplies(BROKEN));
});
