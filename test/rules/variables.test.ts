import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { DEFAULT_SETTINGS } from '../../core/catalog/settings.ts';
import type { RuleRow } from '../../core/catalog/rule-row.ts';
import { REQUEST_RULES } from '../../core/catalog/rules.ts';
import { LANGUAGE_SUPPORT } from '../../language/languages.ts';
import type { Issue } from '../../core/text/issue.ts';
import { joinRequestIssues } from '../../language/variables/check.ts';
import type { EnvironmentVariable } from '../../language/variables/scope.ts';
import { readMarks } from '../support/marks.ts';

const ENVIRONMENT: readonly EnvironmentVariable[] = [{ name: 'port', value: '80', environment: 'dev' }];

function check(text: string): readonly Issue[] {
  const language = text.includes('[d:') ? 'aicl' : 'aicf';
  const document = LANGUAGE_SUPPORT[language].open(text, DEFAULT_SETTINGS);
  return joinRequestIssues(document, document.validate(), DEFAULT_SETTINGS, {
    environment: ENVIRONMENT,
    agents: ['toolbox'],
  });
}

/** A message whose arguments hold the text. */
function messageOf(params: string, type = 'tool_call'): string {
  const named = type === 'result' ? '[s:data]' : '[s:tool]:[s:t],[s:params]';
  return `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s],[s:msg_type]:[s:${type}],${named}:[d:${params}]]`;
}

/** What is said of marked places, all of it and nothing else. */
function assertSaid(marked: string, ...said: readonly (readonly [code: string, message: string])[]): void {
  const { text, spans } = readMarks(marked);
  assert.deepEqual(
    check(text).map(({ code, message, span }) => ({ code, message, span })),
    said.map(([code, message], index) => ({ code, message, span: spans[index] })),
  );
}

describe('rules of what requests name', () => {
  for (const row of REQUEST_RULES as readonly RuleRow[]) {
    for (const good of row.good)
      it(`${row.code} finds nothing in a good example`, () => assert.deepEqual(check(good), []));
    for (const bad of row.bad)
      it(`${row.code} finds a bad example at its marks, and nothing else`, () => {
        const { text, spans } = readMarks(bad);
        assert.deepEqual(
          check(text).map(({ code, severity, span }) => ({ code, severity, span })),
          spans.map(span => ({ code: row.code, severity: row.severity, span })),
        );
      });
  }

  it('hold literals of AICL to the values that are known', () => {
    assertSaid(
      `# @n = 7\n# @b = x\n${messageOf('[s:a]:[i:{{n}}],[s:b]:[b:«{{b}}»],[s:c]:[f:{{port}}],[s:d]:[i:{{secret n}}]')}`,
      ['variable/unresolved', "With its value 'x' is not a boolean: write true or false (error 4001)"],
    );
    assertSaid(messageOf('[s:a]:[i:«{{count}}»]'), [
      'variable/unresolved',
      "Nothing defines 'count': define it by '# @name = value' in a line above",
    ]);
  });

  it('hold literals that no variable is replaced in to what they are', () => {
    const fault = "'{{n}}' is not an integer: write digits with an optional sign (error 4001)";
    assertSaid(`# @n = 7\n# @literal\n${messageOf('[s:a]:[i:«{{n}}»]')}`, ['variable/unresolved', fault]);
    assertSaid(`# @n = 7\n${messageOf('[s:a]:[i:«{{n}}»]', 'result')}`, ['variable/unresolved', fault]);
  });

  it('look into the values of variables, and offer the name that was meant', () => {
    const text = '# @city = Rome\n# @to = «{{ciyt}}»\nCALL|t|{{to}}';
    assertSaid(text, ['variable/unresolved', "There is no variable 'ciyt': did you mean 'city'?"]);
    const [issue] = check(readMarks(text).text);
    assert.deepEqual(
      issue?.fixes?.map(({ title, edits }) => [title, edits.map(edit => edit.newText)]),
      [['Write {{city}}', ['{{city}}']]],
    );
  });

  it('take a variable in JSON and in a typed argument for any value', () => {
    assertSaid('TOOL|t|d|a:object|b:integer\n\nCALL|t|{"a":{{port}},"b":"{{port}}"}|{{port}}');
  });

  it('offer the agent that was meant, and say nothing where no agent is known', () => {
    const { text } = readMarks('# @agent «tolbox»\n# @name a\nCALL|t\n# @agent «nobody»\nCALL|t');
    assert.deepEqual(
      check(text).map(({ message, fixes = [] }) => [message, fixes.map(({ title }) => title)]),
      [
        ["No agent is called 'tolbox': did you mean 'toolbox'?", ["Write 'toolbox'"]],
        ["No agent is called 'nobody': add it to the agents file", []],
      ],
    );
    const document = LANGUAGE_SUPPORT.aicf.open(text, DEFAULT_SETTINGS);
    assert.deepEqual(joinRequestIssues(document, [], DEFAULT_SETTINGS, { environment: [], agents: [] }), []);
  });

  it('say nothing of replies, tensors and keys', () => {
    assertSaid('OK|{{name}}\n');
    assertSaid(messageOf('[s:{{k}}]:[t:uint8:4:{{n}}]'));
  });
});
