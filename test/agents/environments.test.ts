import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { addHeader } from '../../agents/config/edit-agents-file.ts';
import {
  listEnvironments,
  parseEnvironmentsFile,
  variablesOf,
} from '../../agents/config/environments-file.ts';

describe('environments file', () => {
  it('gives each environment what all share, then its own', () => {
    const file = parseEnvironmentsFile(
      '{ // all\n "$shared": {"v": 1, "on": true}, "dev": {"host": "a", "v": "2",}, "live": {} }',
    );
    const shared = [
      { name: 'v', value: '1', environment: '$shared' },
      { name: 'on', value: 'true', environment: '$shared' },
    ];
    const own = [
      { name: 'host', value: 'a', environment: 'dev' },
      { name: 'v', value: '2', environment: 'dev' },
    ];
    assert.deepEqual(
      [
        file.issues,
        listEnvironments(file),
        variablesOf(file, 'dev'),
        variablesOf(file, ''),
        variablesOf(file, '$shared'),
      ],
      [[], ['dev', 'live'], [...shared, ...own], shared, shared],
    );
  });

  it('reports what is wrong in it and leaves that out', () => {
    const text = '{"dev": {"a b": "1", "c": [], "d": "e"}, "live": 7, "$schema": "x"}';
    const { environments, issues } = parseEnvironmentsFile(text);
    assert.deepEqual([...environments], [['dev', [{ name: 'd', value: 'e', environment: 'dev' }]]]);
    assert.deepEqual(
      issues.map(({ span, message }) => [text.slice(span.start, span.end), message]),
      [
        ['"a b"', "'a b' is not a valid variable name: use letters, digits, '_' and '-'"],
        ['[]', "The variable 'c' should be a text, a number, true or false"],
        ['7', "The environment 'live' should be an object of variables by name"],
      ],
    );
    assert.deepEqual(
      ['[]', '{"a": }', ''].map(wrong => parseEnvironmentsFile(wrong).issues.length),
      [1, 1, parseEnvironmentsFile('').issues.length],
    );
  });
});

describe('a header of an agent', () => {
  const FILE = `{
  // Mine.
  "agents": {
    "figma": { "protocol": "aicf", "type": "http", "url": "http://x/", "headers": { "authorization": "old" } },
    "coder": { "protocol": "aicl", "type": "stdio", "command": "node" }
  }
}
`;

  it('takes the place of one of its name, and the rest of the file stays', () => {
    assert.deepEqual(addHeader(FILE, 'figma', 'Authorization', 'Bearer ${secret:x}'), {
      ok: true,
      text: FILE.replace('old', 'Bearer ${secret:x}'),
    });
  });

  it('is for agents over HTTP alone', () => {
    const message = "The agent 'coder' has no headers: only an agent of type 'http' in the agents file does.";
    assert.deepEqual(addHeader(FILE, 'coder', 'Authorization', 'x'), { ok: false, message });
  });
});
