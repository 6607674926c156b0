import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { listEnvironmentNames, resolveVariables } from '../../../language/variables/resolve.ts';

describe('the environment variables that a request sends', () => {
  const variables = [
    { name: 'a', value: '{{$env A}}' },
    { name: 'b', value: '{{a}}-{{$env B}}-{{later}}' },
    { name: 'itself', value: '{{itself}}{{$env I}}' },
    { name: 'unused', value: '{{$env UNUSED}}' },
    { name: 'later', value: '{{$env LATER}}' },
    { name: 'a', value: '{{b}}{{$env SECOND}}' },
  ];
  const scope = { variables, requests: ['login'], below: [] };
  const CASES: readonly (readonly [language: 'aicf' | 'aicl', text: string, names: readonly string[]])[] = [
    ['aicf', 'CALL|f|{{$env X}}|{"k":"{{ $env  Y }}"}', ['X', 'Y']],
    ['aicf', 'CALL|f|{{a}}', ['A', 'B', 'SECOND']],
    ['aicf', 'CALL|f|{{b}}', ['A', 'B']],
    ['aicf', 'CALL|f|{{itself}}', ['I']],
    ['aicf', 'CALL|f|{{login.data.x}}{{$env X}}', ['X']],
    ['aicf', 'CALL|f|\\{{$env X}}|{$env X}|{{$ENV X}}|{{env X}}', ['X']],
    ['aicf', 'OK|{{$env X}}', []],
    [
      'aicl',
      '[d:[s:msg_type]:[s:task_request],[s:{{$env KEY}}]:[s:{{a}}],[s:n]:[i:{{$env N}}]]',
      ['A', 'B', 'SECOND', 'N'],
    ],
    ['aicl', '[d:[s:msg_type]:[s:result],[s:data]:[s:{{$env X}}]]', []],
  ];

  for (const [language, wireText, names] of CASES)
    it(`are known before it is sent: ${wireText}`, async () => {
      assert.deepEqual([...listEnvironmentNames({ language, wireText, scope })].sort(), [...names].sort());
      const asked = new Set<string>();
      await resolveVariables(
        { language, wireText, scope },
        {
          secret: () => 'x',
          env: name => {
            asked.add(name);
            return '1';
          },
          reply: () => ({ language: 'aicf', text: 'OK|{"x":"y"}' }),
          file: () => Promise.resolve({ ok: false, problem: 'none' }),
          uuid: () => 'u',
          timestamp: () => 1,
          secretAdvice: () => '',
        },
      );
      // What is replaced later is among them, or nothing is: a problem ends the expansion of a definition.
      assert.deepEqual(
        [...asked].filter(name => !names.includes(name)),
        [],
      );
    });
});
