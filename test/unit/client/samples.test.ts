import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { parseAgentsFile } from '../../../agents/src/config/agents-file.ts';
import { LANGUAGES, type LanguageId } from '../../../protocol/src/catalog/languages.ts';
import { DEFAULT_SETTINGS } from '../../../protocol/src/catalog/settings.ts';
import { LANGUAGE_SUPPORT } from '../../../protocol/src/languages.ts';

function readSample(name: string): string {
  return readFileSync(new URL(`../../../samples/${name}`, import.meta.url), 'utf8');
}

const FAULTS: Readonly<Record<LanguageId, string>> = {
  aicl: 'aicl/missing-field',
  aicf: 'aicf/wrong-case',
};

describe('samples', () => {
  const agents = parseAgentsFile(readSample('.vscode/agents.json'));

  it('name their agents in a file without faults', () => {
    assert.deepEqual([[...agents.agents.keys()], agents.issues], [['toolbox', 'analyst'], []]);
  });

  for (const { id, extension } of LANGUAGES) {
    it(`hello${extension} is formatted and has one fault, the one that it speaks of`, () => {
      const document = LANGUAGE_SUPPORT[id].open(readSample(`hello${extension}`), DEFAULT_SETTINGS);
      assert.deepEqual([document.validate().map(issue => issue.code), document.format()], [[FAULTS[id]], []]);
    });

    it(`hello${extension} names an agent above each request`, () => {
      const document = LANGUAGE_SUPPORT[id].open(readSample(`hello${extension}`), DEFAULT_SETTINGS);
      const named = new Set(document.requests().map(request => request.directives.agent ?? ''));
      assert.deepEqual(
        [...named].map(name => agents.agents.get(name)?.protocol),
        [id],
      );
    });
  }
});
