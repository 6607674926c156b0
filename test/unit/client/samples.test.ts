import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { parseAgentsFile } from '../../../agents/config/agents-file.ts';
import { MESSAGE_LANGUAGES } from '../../../core/catalog/languages.ts';
import type { MessageLanguage } from '../../../core/catalog/protocols.ts';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { LANGUAGE_SUPPORT } from '../../../language/languages.ts';
import { findFormat } from '../../../tensor/files/file-formats.ts';
import { readTensor } from '../../../tensor/read-tensor.ts';

function readSample(name: string): string {
  return readFileSync(new URL(`../../../samples/${name}`, import.meta.url), 'utf8');
}

const DEMO_NAMES = [
  'toolbox',
  'analyst',
  'storyteller',
  'oracle',
  'librarian',
  'courier',
  'curator',
  'clerk',
  'herald',
  'chain',
  'files',
  'loop',
] as const;

const FAULTS: Readonly<Record<MessageLanguage, string>> = {
  aicl: 'aicl/missing-field',
  aicf: 'aicf/wrong-case',
};

describe('samples', () => {
  const agents = parseAgentsFile(readSample('.vscode/agents.json'));

  it('name their agents in a file without faults', () => {
    assert.deepEqual([[...agents.agents.keys()], agents.issues], [[...DEMO_NAMES], []]);
  });

  it('have requests for each agent, formatted and without faults', () => {
    const named = new Set<string>();
    for (const [id, name] of [
      ['aicf', 'hello.aicf'],
      ['aicl', 'hello.aicl'],
      ['aicf', 'team.aicf'],
      ['aicl', 'team.aicl'],
      ['aicl', 'workflow.aicl'],
      ['aicl', 'stories.aicl'],
      ['aicf', 'aio.aicf'],
      ['aicf', 'openstarry/agents.aicf'],
    ] as const) {
      const document = LANGUAGE_SUPPORT[id].open(readSample(name), DEFAULT_SETTINGS);
      for (const request of document.requests()) named.add(request.directives.agent ?? '');
      if (!name.startsWith('hello'))
        assert.deepEqual([document.validate(), [...document.format()]], [[], []]);
    }
    assert.deepEqual([...named].sort(), [...DEMO_NAMES].sort());
  });

  for (const { id, extensions } of MESSAGE_LANGUAGES) {
    const [extension] = extensions;
    it(`hello${extension} is formatted and has one fault, the one that it speaks of`, () => {
      const document = LANGUAGE_SUPPORT[id].open(readSample(`hello${extension}`), DEFAULT_SETTINGS);
      assert.deepEqual(
        [document.validate().map(issue => issue.code), [...document.format()]],
        [[FAULTS[id]], []],
      );
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

  it('tensors.aicl is formatted and without faults, and its tensors can be read', () => {
    const text = readSample('tensors.aicl');
    const document = LANGUAGE_SUPPORT.aicl.open(text, DEFAULT_SETTINGS);
    const tensors = [...document.tensors()].map(({ path, span }) => {
      const tensor = readTensor(text.slice(span.start + '[t:'.length, span.end - 1));
      return [path, tensor?.dtype, tensor?.shape];
    });
    assert.deepEqual(
      [document.validate(), [...document.format()], tensors],
      [
        [],
        [],
        [
          ['data', 'float32', [3, 4]],
          ['data', 'uint8', [24, 32, 3]],
          ['data', 'float64', [8]],
          ['data', 'int64', [3]],
          ['data.attention', 'float16', [24, 24]],
          ['data.mask', 'bool', [24]],
        ],
      ],
    );
  });

  it('arrays hold what their names promise', () => {
    const found = ['weights.npy', 'model.safetensors'].map(name => {
      const bytes = readFileSync(new URL(`../../../samples/arrays/${name}`, import.meta.url));
      const reading = findFormat(name)?.read(new Uint8Array(bytes));
      if (reading?.kind !== 'ok') return reading;
      return reading.tensors.map(row => [row.name, row.tensor.dtype, row.tensor.shape]);
    });
    assert.deepEqual(found, [
      [['', 'float32', [16, 16]]],
      [
        ['tokens', 'int64', [3]],
        ['encoder.weight', 'float32', [3, 4]],
        ['encoder.bias', 'float16', [4]],
      ],
    ]);
  });
});
