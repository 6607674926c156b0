import assert from 'node:assert/strict';
import { it } from 'mocha';
import { showCommandLine } from '../../agents/stdio/command-line.ts';

it('shows a command line without the credentials in it', () => {
  const lines: readonly (readonly [args: readonly string[], shown: string])[] = [
    [
      ['--token=abc', '--api-key', 'def', '--max-tokens', '5'],
      '--token=[redacted] --api-key [redacted] --max-tokens 5',
    ],
    [['--page-token', 'abc', '--password', '--verbose'], '--page-token abc --password --verbose'],
    [['--token', '${secret:x}', '--secret=${env:Y}'], '--token ${secret:x} --secret=${env:Y}'],
    [['http://me:pw@h/?sig=abc&se=1'], 'http://[redacted]@h/?sig=[redacted]&se=1'],
  ];
  const plain = (text: string): string => text.replaceAll('"', '');
  assert.deepEqual(
    lines.map(([args]) => plain(showCommandLine('agent', args))),
    lines.map(([, shown]) => `agent ${shown}`),
  );
});
