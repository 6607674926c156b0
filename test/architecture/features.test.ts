import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { checkFeatures } from '../../scripts/architecture/features.ts';
import { readGraph, readImports } from '../../scripts/architecture/graph.ts';
import { ROOT } from '../../scripts/root.ts';

describe('features of the extension', () => {
  it('import no other feature, and nothing that they share imports one', () => {
    assert.deepEqual(checkFeatures(readGraph(ROOT)), []);
  });

  const SEND = 'client/src/features/send';
  const PLANTED: readonly (readonly [path: string, specifier: string, isBreach: boolean])[] = [
    [`${SEND}/feature.ts`, '../traces/trace-filter.ts', true],
    [`${SEND}/running/status.ts`, '../../traces/manifest.ts', true],
    [`${SEND}/manifest.ts`, 'vscode', true],
    [`${SEND}/manifest.ts`, './words.ts', true],
    [`${SEND}/manifest.ts`, '../manifest.ts', false],
    [`${SEND}/feature.ts`, './running/status.ts', false],
    [`${SEND}/feature.ts`, '../../messages.ts', false],
    ['client/src/sending/run-call.ts', '../features/traces/trace-filter.ts', true],
    ['client/src/sending/run-call.ts', '../features/manifests.ts', false],
    ['client/src/features/manifests.ts', './send/manifest.ts', false],
    ['client/src/extension.ts', './features/send/feature.ts', false],
  ];
  for (const [path, specifier, isBreach] of PLANTED)
    it(`${isBreach ? 'have a planted violation reported' : 'may do this'}: ${path} imports ${specifier}`, () => {
      const breaches = checkFeatures(readImports(path, `import { a } from '${specifier}';`));
      const found = breaches.map(breach => breach.replace(/': .*/, "'"));
      assert.deepEqual(found, isBreach ? [`${path}:1 imports '${specifier}'`] : []);
    });
});
