import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { showSignature } from '../../../../language/tools.ts';
import { listMethods } from '../../../../protocols/aio/methods.ts';

describe('the methods of an AIO agent besides its tools', () => {
  for (const [kind, capabilities, expected] of [
    [
      'mcp',
      ['mcp', 'resources', 'prompts', 'tools', 'sampling', 'text'],
      [
        'help ()',
        'resources.list ()',
        'resources.get (id)',
        'prompts.list ()',
        'prompts.get (name, arguments?)',
        'tools.list ()',
        'tools.call (tool, args?)',
        'sampling.start (input)',
        'sampling.step (id, input?)',
      ],
    ],
    [
      'http, with tools',
      ['http', 'tools', 'text'],
      ['help ()', 'input (input)', 'tools.list ()', 'tools.call (tool, args?)'],
    ],
    ['that is unknown', [], ['help ()', 'input (input)']],
  ] as const)
    it(`of the kind ${kind} are those that it reports`, () => {
      const signatures = listMethods(capabilities).map(each => showSignature(each).replaceAll(': any', ''));
      assert.deepEqual(signatures, expected);
    });
});
