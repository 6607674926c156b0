import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { LANGUAGE_SUPPORT } from '../../../language/languages.ts';
import { joinRequestIssues } from '../../../language/variables/check.ts';
import { findReplyPart, type NamedReply } from '../../../language/variables/reply-value.ts';
import { resolveVariables, type Resolution } from '../../../language/variables/resolve.ts';
import { scopeAt } from '../../../language/variables/scope.ts';
import { runs } from '../../support/size.ts';

async function resolve(text: string, reply?: NamedReply): Promise<Resolution> {
  const document = LANGUAGE_SUPPORT['agent-json'].open(text, DEFAULT_SETTINGS);
  const request = document.requests().at(-1);
  assert.ok(request);
  const scope = scopeAt(document.definitions(), request.span.start, []);
  return resolveVariables(
    { language: 'agent-json', wireText: request.wireText, scope },
    {
      secret: name => (name === 'key' ? 's3cret"' : undefined),
      env: () => undefined,
      file: path =>
        Promise.resolve(
          path === 'cat.png' ? { ok: true, base64: 'Y2F0' } : { ok: false, problem: 'there is none' },
        ),
      reply: () => reply,
      uuid: () => '1-2',
      timestamp: () => 7,
      secretAdvice: () => 'store it',
    },
  );
}

const wireOf = async (...args: Parameters<typeof resolve>): Promise<string> => {
  const resolved = await resolve(...args);
  return resolved.ok ? resolved.wireText : resolved.problems.join();
};

describe('variables in JSON', () => {
  it('are files of the workspace, too', async () => {
    const request = (path: string): string => `{"method":"x","params":{"data":{"$file":"${path}"}}}`;
    assert.match(await wireOf(request('cat.png')), /"data":"Y2F0"/);
    assert.match(await wireOf(request('dog.png')), /there is none/);
  });

  it('are replaced in strings that are values, never in names', async () => {
    assert.equal(
      await wireOf(
        '// @city = "Rome"\n// @var a = b\n{"{{a}}": "in {{city}} {{ a }}", "t": ["{{$timestamp}}"]}',
      ),
      '{"{{a}}":"in \\"Rome\\" b","t":["7"]}',
    );
  });

  it('never change anything but their string, whatever they hold', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary' }).filter(text => !/[\r\n{}]/.test(text)),
        async value => {
          const text = await wireOf(`// @v = x${value}x\n{"a":"<{{v}}>","b":1.0}`);
          assert.deepEqual(JSON.parse(text), { a: `<x${value}x>`, b: 1 });
        },
      ),
      { numRuns: runs(500) },
    );
  });

  it('become whole JSON values as {{json name}}', async () => {
    assert.equal(
      await wireOf('// @n = 1.50\n// @l = [1, {"a": 2}]\n{"n":"{{json n}}","l":"{{json l}}"}'),
      '{"n":1.50,"l":[1, {"a": 2}]}',
    );
    assert.match(
      await wireOf('// @n = Rome\n{"n":"{{json n}}"}'),
      /does not fit here: its value is not JSON/,
    );
    assert.equal(await wireOf('{"n":"{{json nothing}}"}'), '{"n":"{{json nothing}}"}');
  });

  it('hold parts of a reply, and secrets, which are reported', async () => {
    const reply: NamedReply = {
      language: 'agent-json',
      text: '{"result":{"content":[{"text":"hi"}],"n":[1]}}',
    };
    const text =
      '// @name one\n{"method":"a"}\n{"t":"{{one.result.content[0].text}}","n":"{{json one.result.n}}"}';
    assert.equal(await wireOf(text, reply), '{"t":"hi","n":[1]}');
    const resolved = await resolve('{"key":"{{secret key}}"}');
    assert.deepEqual(resolved.ok && [resolved.wireText, resolved.secrets], [
      '{"key":"s3cret\\""}',
      [{ value: 's3cret"', template: '{{secret key}}' }],
    ]);
  });

  it('find a part of a reply in the events of a stream, the last one first', () => {
    const text = 'data: {"status":"created"}\n\ndata: {"status":"completed","id":"r1"}\n\n';
    assert.deepEqual(findReplyPart({ language: 'agent-json', text }, ['status']), {
      ok: true,
      text: 'completed',
    });
    assert.deepEqual(findReplyPart({ language: 'agent-json', text: 'no JSON' }, ['a']), {
      ok: false,
      reason: 'its reply holds no message',
    });
  });

  it('are checked at their positions', () => {
    const text =
      '// @city = Rome\n{"a": "{{cty}}", // {{cty}}\n "b": "{{json cty}}", "{{cty}}": 1, "c": "{{other}}"}';
    const document = LANGUAGE_SUPPORT['agent-json'].open(text, DEFAULT_SETTINGS);
    const issues = joinRequestIssues(document, document.validate(), DEFAULT_SETTINGS, {
      environment: [],
      agents: [],
    });
    assert.deepEqual(
      issues.map(({ code, span }) => [code, text.slice(span.start, span.end)]),
      [
        ['variable/unresolved', '{{cty}}'],
        ['variable/unresolved', '{{json cty}}'],
        ['variable/unknown', '{{other}}'],
      ],
    );
  });
});
