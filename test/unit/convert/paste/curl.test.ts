import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { isCurl, readCurl } from '../../../../protocols/convert/paste/curl.ts';
import { splitShellWords } from '../../../../protocols/convert/paste/shell-words.ts';
import { anyCharacter } from '../../../support/any-character.ts';

const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add"}}';

describe('the words of a shell', () => {
  it('are quoted and escaped as POSIX has it', () => {
    assert.deepEqual(
      splitShellWords(`a 'b c' "d \\"e\\" \\$f \\x" g\\ h \\\n i'j'"k" $'l\\n\\u00e9\\x41' ''`),
      {
        kind: 'ok',
        words: ['a', 'b c', 'd "e" $f \\x', 'g h', 'ijk', 'l\né A'.replace(' ', ''), ''],
        hasVariable: false,
        rest: '',
      },
    );
  });

  it('end where the command ends', () => {
    const found = splitShellWords('curl "$URL" -s | jq .');
    assert.deepEqual(found, {
      kind: 'ok',
      words: ['curl', '$URL', '-s'],
      hasVariable: true,
      rest: '| jq .',
    });
  });

  it('say which quote is open', () => {
    assert.deepEqual(splitShellWords("curl -d \\\n 'abc"), {
      kind: 'fault',
      problem: "The quote ' in line 2 of the command is not closed",
    });
  });

  it('come back from single quotes, whatever they hold', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: anyCharacter }), { minLength: 1 }), words => {
        const line = words.map(word => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
        const split = splitShellWords(line);
        assert.deepEqual(split, { kind: 'ok', words, hasVariable: false, rest: '' });
      }),
    );
  });

  it('are read of any text', () => {
    const unit = fc.constantFrom(...'ab \'"\\$`|\n\r{(^');
    fc.assert(
      fc.property(fc.string({ unit }), text => {
        splitShellWords(text);
        readCurl(`curl ${text}`, ALL_PROTOCOLS);
      }),
    );
  });
});

describe('a cURL command', () => {
  it('is known by its first word', () => {
    const texts = ['curl http://x', '  $ curl -s', 'curl.exe \\\n', 'curly', 'CALL|curl', '{"curl":1}'];
    assert.deepEqual(texts.map(isCurl), [true, true, true, false, false, false]);
  });

  it('gives its body, and the protocol of its URL', () => {
    const commands = [
      `curl -X POST http://localhost:65001/aip/v1/aicf -H 'Content-Type: text/plain' -d 'CALL|math.add|1|2'`,
      `curl -sSXPOST 'https://a.example/aip/v1/rpc?x=1' --data '${CALL}'`,
      `$ curl --json='${CALL}' http://localhost:3000/mcp`,
      `curl http://localhost --data-raw '@${CALL}'`,
      `curl http://localhost/x -d'a' -d b --compressed`,
    ];
    assert.deepEqual(
      commands.map(text => readCurl(text, ALL_PROTOCOLS)),
      [
        {
          kind: 'ok',
          body: 'CALL|math.add|1|2',
          url: 'http://localhost:65001/aip/v1/aicf',
          from: 'aicf',
          remarks: [],
        },
        { kind: 'ok', body: CALL, url: 'https://a.example/aip/v1/rpc?x=1', from: 'json-rpc', remarks: [] },
        { kind: 'ok', body: CALL, url: 'http://localhost:3000/mcp', from: 'mcp', remarks: [] },
        { kind: 'ok', body: `@${CALL}`, url: 'http://localhost', from: undefined, remarks: [] },
        { kind: 'ok', body: 'a&b', url: 'http://localhost/x', from: undefined, remarks: [] },
      ],
    );
  });

  it('keeps credentials out, and says so', () => {
    const command = `curl https://a.example/v1/responses -H "Authorization: Bearer abc" -H 'X-API-Key: k' -u me:pw -d '{"a":"$X"}' --data-binary "$Y" | jq .`;
    assert.deepEqual(readCurl(command, ALL_PROTOCOLS), {
      kind: 'ok',
      body: '{"a":"$X"}&$Y',
      url: 'https://a.example/v1/responses',
      from: 'responses',
      remarks: [
        'Authorization, X-API-Key, --user: not pasted, because credentials belong in the agents file',
        'Variables of the shell are not expanded',
        "'| jq .' after the command is left out",
      ],
    });
  });

  it('says why it has no message', () => {
    const commands = [
      'curl http://localhost/',
      'curl -d @call.json http://localhost/',
      'curl -F a=b http://localhost/',
      'curl --data-urlencode a=b http://localhost/',
      'curl ^"http://localhost^" ^\r\n -d ^"{}^"',
    ];
    assert.deepEqual(
      commands.map(text => readCurl(text, ALL_PROTOCOLS)),
      [
        { kind: 'fault', problem: 'This cURL command has no body: there is no -d, --data or --json in it' },
        { kind: 'fault', problem: "The body is in the file 'call.json': open that file and convert it" },
        { kind: 'fault', problem: '--form sends a form or a file, and no message' },
        { kind: 'fault', problem: '--data-urlencode sends a form, and no message' },
        {
          kind: 'fault',
          problem: 'This cURL command is written for cmd.exe. Copy it as cURL for bash, and paste that',
        },
      ],
    );
  });
});
