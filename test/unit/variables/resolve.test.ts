import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { fieldText } from '../../../language/aicf/ast.ts';
import { readLine } from '../../../language/aicf/parse.ts';
import type { LanguageId } from '../../../core/catalog/languages.ts';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { readAiclPieces } from '../../../language/values/aicl-reader.ts';
import { LANGUAGE_SUPPORT } from '../../../language/languages.ts';
import { findEntry, textIn } from '../../../core/values/value.ts';
import {
  resolveVariables,
  type Resolution,
  type VariableLookups,
} from '../../../language/variables/resolve.ts';
import { scopeAt, type EnvironmentVariable } from '../../../language/variables/scope.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { runs } from '../../support/size.ts';

const OPEN: VariableLookups = {
  secret: name => (name === 'key' ? 's3cr3t]|"' : undefined),
  env: name => (name === 'HOME_TOWN' ? 'Florence' : name === 'SHORT' ? 'dev' : undefined),
  reply: name =>
    name === 'login' ? { language: 'aicf', text: 'OK|{"token":"a\\|b","ids":[7,8.0],"ok":true}' } : undefined,
  file: path =>
    Promise.resolve(
      path === 'cat.png'
        ? { ok: true, base64: 'iVBORw0KGgo=' }
        : { ok: false, problem: `The file '${path}' is not there` },
    ),
  uuid: () => 'u-u-i-d',
  timestamp: () => 1234,
  secretAdvice: () => 'store it',
};

const ENVIRONMENT: readonly EnvironmentVariable[] = [
  { name: 'host', value: 'example.org', environment: 'dev' },
  { name: 'token', value: 'Bearer {{secret key}}', environment: 'dev' },
];

/** Resolves the last request of a file. */
async function resolveLast(language: LanguageId, text: string, lookups = OPEN): Promise<Resolution> {
  const document = LANGUAGE_SUPPORT[language].open(text, DEFAULT_SETTINGS);
  const request = document.requests().at(-1);
  assert.ok(request);
  const scope = scopeAt(document.definitions(), request.span.start, ENVIRONMENT);
  return resolveVariables({ language, wireText: request.wireText, scope }, lookups);
}

async function wireOf(language: LanguageId, text: string): Promise<string> {
  const resolved = await resolveLast(language, text);
  assert.ok(resolved.ok, JSON.stringify(resolved));
  return resolved.wireText;
}

async function problemsOf(language: LanguageId, text: string): Promise<readonly string[]> {
  const resolved = await resolveLast(language, text);
  return resolved.ok ? [] : resolved.problems;
}

const AICL_HEAD =
  '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s],[s:msg_type]:[s:tool_call],[s:tool]:[s:t],';

describe('files in requests', () => {
  it('are Base64 in texts, fields and JSON', async () => {
    assert.deepEqual(
      [
        await wireOf('aicf', 'CALL|t|{{file cat.png}}|{"value":"{{ file cat.png }}"}\n'),
        await wireOf(
          'aicf',
          'CALL|t|{"input":{"type":"image","value":{"$file":"cat.png"}},"a":"{{file cat.png}}"}\n',
        ),
        await wireOf('aicl', `${AICL_HEAD}[s:params]:[d:[s:a]:[s:<{{file cat.png}}>]]]`),
        await wireOf('aicf', '# @pic = {{file cat.png}}\nCALL|t|{{pic}}\n'),
      ],
      [
        'CALL|t|iVBORw0KGgo=|{"value":"iVBORw0KGgo="}',
        'CALL|t|{"input":{"type":"image","value":"iVBORw0KGgo="},"a":"iVBORw0KGgo="}',
        `${AICL_HEAD}[s:params]:[d:[s:a]:[s:<iVBORw0KGgo=>]]]`,
        'CALL|t|iVBORw0KGgo=',
      ],
    );
  });

  it('are replaced in JSON alone, and not in what a variable holds', async () => {
    for (const line of [
      'CALL|t|see {"$file":"cat.png"}',
      'CALL|t|{"a":"{\\\\"$file\\\\":\\\\"cat.png\\\\"}"}',
      'CALL|t|{"$file":"cat.png","b":1}',
    ])
      assert.equal(await wireOf('aicf', `${line}\n`), line);
    const defined = '# @json = {"$file":"cat.png"}\nCALL|t|{"a":"{{json}}"}\n';
    assert.equal((await wireOf('aicf', defined)).includes('iVBOR'), false);
  });

  it('stop the request if they cannot be read or have no path', async () => {
    const problems = await Promise.all(
      [
        'CALL|t|{{file dog.png}}|{{file dog.png}}',
        'CALL|t|{"$file":"dog.png"}',
        'CALL|t|{"$file":7}',
        'CALL|t|{"$file":""}',
        'CALL|t|{"$file":"{{pic}}.png"}',
      ].map(line => problemsOf('aicf', `# @pic = cat\n${line}\n`)),
    );
    const wrong = "'$file' is the path of a file, a text that is not empty";
    const missing = "The file 'dog.png' is not there";
    assert.deepEqual(problems, [
      [missing],
      [missing],
      [wrong],
      [wrong],
      ["The path of '$file' contains no variables: write '{{pic}}.png' out"],
    ]);
  });
});

describe('variables in requests', () => {
  it('come from lines above, later ones before earlier ones, and may hold others', async () => {
    const text = '# @a = 1\nLIST\n# @a = {{a}}2\n# @var name = {{a}}!\nCALL|t|{{a}}|{{ name }}|{{summary}}\n';
    assert.deepEqual(await resolveLast('aicf', text), {
      ok: true,
      wireText: 'CALL|t|12|12!|{{summary}}',
      secrets: [],
      notes: ["Nothing defines 'summary': it is sent unchanged"],
    });
  });

  it('have no carriage return in a field, which is noted, and keep it in JSON', async () => {
    const lookups = { ...OPEN, secret: () => 'a\r\nb' };
    const plain = await resolveLast('aicf', 'CALL|t|{{secret x}}', lookups);
    const json = await resolveLast('aicf', 'CALL|t|{"a":"{{secret x}}"}', lookups);
    assert.ok(plain.ok && json.ok);
    assert.deepEqual(
      [plain.wireText, plain.notes, json.wireText, json.notes],
      [
        'CALL|t|a\\nb',
        [
          "The value of 'secret x' holds a carriage return, which AICF cannot send; a line feed is in its place",
        ],
        'CALL|t|{"a":"a\\u000d\\u000ab"}',
        [],
      ],
    );
  });

  it('come from environments, functions, secrets and the environment of the process', async () => {
    const text = 'CALL|t|{{host}}|{{token}}|{{$uuid}}|{{$timestamp}}|{{$env HOME_TOWN}}|{{$env SHORT}}';
    assert.deepEqual(await resolveLast('aicf', text), {
      ok: true,
      wireText: 'CALL|t|example.org|Bearer s3cr3t]\\|"|u-u-i-d|1234|Florence|dev',
      secrets: [
        { value: 's3cr3t]|"', template: '{{secret key}}' },
        { value: 'Florence', template: '{{$env HOME_TOWN}}' },
      ],
      notes: [],
    });
  });

  it('come from the reply to a named request, by keys and indexes', async () => {
    const text =
      '# @name login\nCALL|login\nCALL|t|{{login.data.token}}|{{login.data.ids[0]}}|{{login.data.ids.1}}|{{login.data.ok}}|{{login.data.ids}}';
    assert.equal(await wireOf('aicf', text), 'CALL|t|a\\|b|7|8.0|true|[7,8.0]');
  });

  it('are escaped in texts of AICL and checked in its literals', async () => {
    const text = `# @n = 7\n# @f = 1e3\n# @yes = true\n${AICL_HEAD}[s:params]:[d:[s:a]:[s:<{{secret key}}>],[s:{{n}}]:[i:{{n}}],[s:c]:[f:{{f}}],[s:d]:[b:{{yes}}],[s:e]:[i:-{{n}}]]]`;
    const params =
      '[d:[s:a]:[s:<s3cr3t\\u005D|">],[s:{{n}}]:[i:7],[s:c]:[f:1e3],[s:d]:[b:true],[s:e]:[i:-7]]';
    assert.equal(await wireOf('aicl', text), `${AICL_HEAD}[s:params]:${params}]`);
  });

  it('are escaped in strings of JSON in a field, and literals elsewhere in it', async () => {
    const text = '# @n = 3\nCALL|t|{"a":"{{secret key}}","b":{{n}},"c":["{{n}}"]}';
    assert.equal(await wireOf('aicf', text), 'CALL|t|{"a":"s3cr3t]\\u007c\\u0022","b":3,"c":["3"]}');
  });

  it('never stand in tensors, keys, replies and braces of other words', async () => {
    const tensor = `# @n = 7\n${AICL_HEAD}[s:params]:[d:[s:{{n}}]:[t:uint8:4:{{n}}],[s:b]:[s:{{#if n}}]]]`;
    assert.match(
      await wireOf('aicl', tensor),
      /\[s:\{\{n\}\}\]:\[t:uint8:4:\{\{n\}\}\],\[s:b\]:\[s:\{\{#if n\}\}\]/,
    );
    const reply = `# @n = 7\n${AICL_HEAD.replace('tool_call', 'result')}[s:data]:[s:{{n}}]]`;
    assert.match(await wireOf('aicl', reply), /\[s:data\]:\[s:\{\{n\}\}\]/);
  });

  it('may have marks in them that end a line elsewhere', async () => {
    assert.equal(await wireOf('aicf', '# @v = a\u2028b\nCALL|t|{{v}}'), 'CALL|t|a\u2028b');
    assert.deepEqual(await problemsOf('aicf', 'CALL|t|{{secret a\u2028b}}|{{$env a\u2029b}}'), [
      "The secret 'aU+2028b' has no value: store it",
      "The environment variable 'aU+2029b' has no value: set it and start again",
    ]);
  });

  it('stop the request where they cannot be resolved, by name', async () => {
    const text =
      '# @name login\n# @city = Rome\nCALL|t|{{secret other}}|{{$guid}}|{{cty}}|{{login.data.none}}|{{$env NONE}}|{{login}}|{{$env}}|{{later}}|{{city.x}}\n# @later = 1';
    assert.deepEqual(await problemsOf('aicf', text), [
      "The secret 'other' has no value: store it",
      "There is no variable '$guid': known are $uuid, $timestamp and $env",
      "There is no variable 'cty': did you mean 'city'?",
      "'login.data.none' has no value: 'data' has no 'none'; it has 'token', 'ids', 'ok'",
      "The environment variable 'NONE' has no value: set it and start again",
      "'login' is a request: say which part of its reply, as in {{login.data}}",
      "'$env' needs a name: write {{$env NAME}}",
      "'later' is defined further down: move its line above the first request that uses it",
      "'city' is a variable and no request, so it has no part 'x': write {{city}}",
    ]);
  });

  it('are no slips for names that share nothing with theirs', async () => {
    const text = '# @x = 1\n# @no = 2\nCALL|t|{{q}}|{{ab}}|{{x}}';
    assert.equal(await wireOf('aicf', text), 'CALL|t|{{q}}|{{ab}}|1');
    assert.deepEqual(await problemsOf('aicf', '# @x = 1\n# @no = 2\nCALL|t|{{X}}|{{xy}}|{{on}}|{{to}}'), [
      "There is no variable 'X': did you mean 'x'?",
      "There is no variable 'xy': did you mean 'x'?",
      "There is no variable 'on': did you mean 'no'?",
      "There is no variable 'to': did you mean 'no'?",
    ]);
  });

  it('stop the request where their value does not fit, and a secret is not shown', async () => {
    const text = `# @n = 1],[s:x]:[s:y\n${AICL_HEAD}[s:params]:[d:[s:a]:[i:{{n}}],[s:b]:[b:{{secret key}}]]]`;
    assert.deepEqual(await problemsOf('aicl', text), [
      "'{{n}}' does not fit here: '1],[s:x]:[s:y' is not an integer: write digits with an optional sign (error 4001)",
      "'{{secret key}}' does not fit here: its value, a secret, is of another type",
    ]);
  });

  it('leave a value exact wherever it is, whatever it contains', async () => {
    const hostile = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.string({
        unit: fc.constantFrom('\\', '|', ']', '[', '"', '\n', '\r', '\t', '{', '}', 'n', ':', ',', 's', 'a'),
      }),
    );
    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (value, around) => {
        const reply = { language: 'aicl' as const, text: `[d:[s:data]:[s:x]]` };
        const lookups: VariableLookups = { ...OPEN, secret: () => value, reply: () => reply };
        if (value === '') return;
        const before = around.replace(/[|[\]{}\r\n"]/g, '').replaceAll('\\n', '');
        const aicf = await resolveLast(
          'aicf',
          `CALL|t|${before.replaceAll('\\', '\\\\')}\\{{secret x}}!|{"a":"{{secret x}}"}|e`,
          lookups,
        );
        assert.ok(aicf.ok);
        const line = readLine(aicf.wireText);
        assert.deepEqual(
          [1, 2, 3]
            .map(index => fieldText(aicf.wireText, line, index))
            .map((field, index) => (index === 1 ? (JSON.parse(field) as unknown) : field)),
          // A line of AICF has no CR.
          [`${before}\\${value.replace(/\r\n?/g, '\n')}!`, { a: value }, 'e'],
        );
        const aicl = await resolveLast(
          'aicl',
          `${AICL_HEAD}[s:params]:[d:[s:a]:[s:\\{{secret x}}],[s:b]:[s:{{secret x}}\\d]]]`,
          lookups,
        );
        assert.ok(aicl.ok);
        const [piece] = readAiclPieces(aicl.wireText).pieces;
        const params = findEntry(piece?.value, 'params');
        assert.deepEqual(
          [textIn(findEntry(params, 'a')), textIn(findEntry(params, 'b'))],
          // In AICL CRLF is a line end; it is sent, and noted.
          [`\\${value}`, `${value}\\d`].map(text => text.replaceAll('\r\n', '\n')),
        );
      }),
      { numRuns: runs(500) },
    );
  });
});
