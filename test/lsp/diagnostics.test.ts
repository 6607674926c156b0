import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Snapshot } from '../../server/src/documents.ts';
import { diagnostics } from '../../server/src/features/diagnostics.ts';
import type { FeatureHost } from '../../server/src/features/feature.ts';
import { NODE_RUNTIME } from '../../server/src/node-runtime.ts';

describe('pushed diagnostics', () => {
  it('log a push that fails when a document closes', async () => {
    let close: (uri: string) => void = () => undefined;
    const logged = new Promise<string>(logError => {
      diagnostics.register({
        runtime: NODE_RUNTIME,
        client: {},
        logError,
        connection: { sendDiagnostics: () => Promise.reject(new Error('the client has gone')) },
        documents: {
          onChange: (_listener: (snapshot: Snapshot) => void) => undefined,
          onClose: (listener: (uri: string) => void) => void (close = listener),
        },
      } as unknown as FeatureHost);
    });
    close('file:///a.aicf');
    assert.match(await logged, /^diagnostics failed for file:\/\/\/a\.aicf: Error: the client has gone/);
  });
});
