import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { LanguageId } from '../../../core/catalog/languages.ts';
import type { ProtocolName } from '../../../core/catalog/protocols.ts';
import { convertText } from '../../../protocols/convert/convert.ts';
import type { Redaction, WireEvent } from '../../../core/events/events.ts';
import { TraceFold } from '../../../trace/fold/fold.ts';
import { Redactor } from '../../../core/secrets/redact.ts';
import { readRecordedRequest } from '../../../trace/replay/replay-request.ts';
import {
  describeHole,
  fillSecrets,
  joinWithHoles,
  type HoledText,
} from '../../../trace/replay/replay-secrets.ts';
import { resolveVariables } from '../../../language/variables/resolve.ts';

/** Values that a message has to escape, or that look like the text around them. */
const VALUES = [
  'k3y-0123',
  'k3y |\\|"\'',
  'k3y ]:[s:x],{"a":"b"}',
  'k3y\n\tü€😀',
  'k3y\\',
  '"k3y',
  'k3y {{secret-1}} }}',
  'k3y $& $1',
  'k3y%7C%41',
];

const REQUESTS: readonly (readonly [LanguageId, string])[] = [
  ['aicf', 'CALL|login|user|{{secret key}}'],
  ['aicf', 'CALL|login|token: Bearer {{secret key}}.|again: {{ secret key }}|AUTH:{{secret key}}'],
  ['aicf', 'CALL|login|{"a":"x {{secret key}}","b":[1,"{{secret key}}"]}'],
  [
    'aicl',
    '[d:[s:protocol]:[s:LightAICL],[s:msg_type]:[s:tool_call],[s:tool]:[s:login],[s:params]:[d:[s:key]:[s:<{{secret key}}>]]]',
  ],
];

/** A wire event as a recorder writes it, with the secret replaced. */
function recordText(text: string, redactor: Redactor): WireEvent {
  const stream = redactor.openBytes();
  const pieces = [stream.push(Buffer.from(text).toString('latin1')), stream.end()];
  const redacted: Redaction[] = [];
  let length = 0;
  for (const piece of pieces) {
    for (const mark of piece.redacted) redacted.push({ ...mark, at: mark.at + length });
    length += piece.text.length;
  }
  const bytes = { text: Buffer.from(pieces.map(each => each.text).join(''), 'latin1').toString() };
  return { type: 'wire', call: 'c', at: 1, direction: 'out', bytes, redacted };
}

async function resolve(language: LanguageId, wireText: string, value: string): Promise<string> {
  const scope = { variables: [], requests: [], below: [] };
  const resolved = await resolveVariables(
    { language, wireText, scope },
    {
      secret: () => value,
      file: () => Promise.resolve({ ok: false, problem: 'none' }),
      env: () => undefined,
      reply: () => undefined,
      uuid: () => '',
      timestamp: () => 0,
      secretAdvice: () => '',
    },
  );
  assert.ok(resolved.ok);
  assert.deepEqual(resolved.secrets, [{ value, template: '{{secret key}}' }]);
  return resolved.wireText;
}

function join(event: WireEvent): HoledText {
  const joined = joinWithHoles([event], 'figma');
  assert.ok(joined);
  return joined;
}

function fill({ text, holes }: HoledText, form: LanguageId | ProtocolName, value: string): string {
  const filled = fillSecrets(text, form, holes, ({ kind, name }) =>
    kind === 'secret' && name === 'key' ? value : undefined,
  );
  assert.ok(filled.ok, JSON.stringify(filled));
  return filled.text;
}

describe('secrets of recorded requests', () => {
  for (const value of VALUES)
    for (const [language, request] of REQUESTS)
      it(`${JSON.stringify(value)} is put back as it stood in ${request.slice(0, 48)}`, async () => {
        const sent = await resolve(language, request, value);
        const recorded = recordText(sent, new Redactor([{ value, template: '{{secret key}}' }]));
        assert.ok('text' in recorded.bytes && !recorded.bytes.text.includes('k3y'));
        const joined = join(recorded);
        assert.deepEqual(
          joined.holes.map(({ need, scheme }) => [need, scheme]),
          joined.holes.map(() => [{ kind: 'secret', name: 'key' }, '']),
        );
        assert.equal(fill(joined, language, value), sent);
        // An agent of another protocol gets the same value as one that is asked in the language itself.
        const [holed, whole] = [joined.text, sent].map(text =>
          convertText(text, { protocols: ALL_PROTOCOLS, from: language, to: 'mcp' }).text.trimEnd(),
        );
        assert.ok(holed !== undefined && whole !== undefined);
        const converted = fill({ text: holed, holes: joined.holes }, 'mcp', value);
        assert.deepEqual(JSON.parse(converted), JSON.parse(whole));
      });

  it('are filled into JSON, and into JSON within a JSON string', () => {
    const value = 'k3y \\ "quoted"';
    const sent = JSON.stringify({
      id: 1,
      a: `<${value}>`,
      arguments: JSON.stringify({ token: value, n: 1 }),
    });
    const recorded = recordText(sent, new Redactor([{ value, template: '{{secret key}}' }]));
    assert.equal(fill(join(recorded), 'responses', value), sent);
  });

  it('have no name where they came in Base64 or in a URL, or where another secret is around them', () => {
    const named = { value: 'k3y/12 34', template: '{{secret key}}' };
    const redactor = new Redactor([named, 'all of k3y/12 34', 'k3y/12 34']);
    const text = `k3y/12 34 ${btoa('k3y/12 34')} k3y%2F12%2034 all of k3y/12 34`;
    assert.deepEqual(recordText(text, redactor), {
      type: 'wire',
      call: 'c',
      at: 1,
      direction: 'out',
      bytes: { text: '[redacted] [redacted] [redacted] [redacted]' },
      redacted: [
        { at: 0, length: 9, template: '{{secret key}}' },
        { at: 11, length: 12 },
        { at: 22, length: 13 },
        { at: 33, length: 16 },
      ],
    });
  });

  it('without a name are distinguished by agent and length, and placeholders that fit nowhere are ignored', () => {
    const text = 'CALL|a|[redacted]|{{secret-1}}|[redacted]|[redacted]';
    const redacted = [
      { at: 3, length: 4 },
      { at: 7, length: 9 },
      { at: 7, length: 9 },
      { at: 31, length: 12, template: 'Bearer {{secret other}}' },
      // Whoever wrote the file names what no recorder does.
      { at: 42, length: 9, template: 'x{{login.token}}' },
      { at: 9000, length: 9 },
    ];
    const joined = join({ type: 'wire', call: 'c', at: 1, direction: 'out', bytes: { text }, redacted });
    assert.deepEqual(joined, {
      text: 'CALL|a|{{secret-2}}|{{secret-1}}|{{secret-3}}|{{secret-4}}',
      holes: [
        { placeholder: '{{secret-2}}', need: { kind: 'unnamed', name: 'figma:9' }, scheme: '' },
        { placeholder: '{{secret-3}}', need: { kind: 'secret', name: 'other' }, scheme: 'Bearer ' },
        { placeholder: '{{secret-4}}', need: { kind: 'unnamed', name: 'figma:9' }, scheme: '' },
      ],
    });
    assert.deepEqual(
      joined.holes.map(hole => describeHole(joined, hole)),
      [
        'a secret of 9 bytes was in its request at line 1, character 8',
        "the secret 'other' was in its request at line 1, character 32",
        'a secret of 9 bytes was in its request at line 1, character 43',
      ],
    );
    assert.deepEqual(
      fillSecrets(joined.text, 'aicf', joined.holes, ({ kind }) => (kind === 'secret' ? 's' : 'u')),
      {
        ok: true,
        text: 'CALL|a|u|{{secret-1}}|Bearer s|u',
        secrets: ['u', { value: 's', template: '{{secret other}}' }, 'u'],
      },
    );
    assert.deepEqual(
      fillSecrets(joined.text, 'aicf', joined.holes, ({ kind }) => (kind === 'secret' ? '' : 'u')),
      { ok: false, reason: "the secret 'other' has no value" },
    );
  });

  it('that stand where no text can be are refused with their place', () => {
    const fold = new TraceFold();
    fold.add({ type: 'call', call: 'c', trace: 't', at: 0, agent: 'a', protocol: 'mcp', title: 'x' });
    const node = fold.find('c');
    assert.ok(node);
    for (const text of [
      '{"method":"tools/call","id":[redacted]}',
      '{"method":"tools/call","[redacted]":1}',
    ]) {
      const at = text.indexOf('[redacted]');
      const redacted = [{ at, length: 4, template: '{{$env PIN}}' }];
      const wire = { type: 'wire', call: 'c', at: 1, direction: 'out', bytes: { text }, redacted } as const;
      assert.deepEqual(readRecordedRequest(node, [wire], { newId: () => '', protocols: ALL_PROTOCOLS }), {
        kind: 'refused',
        reason: `the environment variable 'PIN' was in its request at line 1, character ${at + 1}, where no value can be filled in`,
      });
    }
  });
});
