import assert from 'node:assert/strict';
import { it } from 'mocha';
import { readProgress } from '../../../client/src/forms/progress.ts';

const chunk = (data: string): string =>
  `[d:[s:protocol]:[s:LightAICL],[s:version]:[s:1.0],[s:type]:[s:stream_chunk],[s:event]:[s:progress],[s:data]:[d:${data}]]\n`;

it('reads the progress of a call that an agent reports', () => {
  assert.deepEqual(
    [
      readProgress(chunk('[s:progress]:[i:2],[s:total]:[i:5]')),
      readProgress(chunk('[s:progress]:[f:0.5],[s:message]:[s:halfway]')),
      readProgress(chunk('[s:progress]:[i:1],[s:total]:[i:5]') + chunk('[s:progress]:[i:7],[s:total]:[i:5]')),
      readProgress(chunk('[s:share]:[i:2]')),
      readProgress('STREAM|2'),
    ],
    [
      { words: 'Step 2 of 5', share: 0.4 },
      { words: 'Step 0.5: halfway' },
      { words: 'Step 7 of 5', share: 1 },
      undefined,
      undefined,
    ],
  );
});
