import type { RuleRow } from './rule-row.ts';

/** Rules for `{{name}}` in requests of both languages. */
export const VARIABLE_RULES = [
  {
    code: 'variable/unknown',
    severity: 'information',
    title: 'Braces that are not a variable',
    explanation:
      'Nothing defines this name, so the braces are text and are sent unchanged: prompt templates use the same ones. Define it by `# @name = value` in a line above, in an environment of `.vscode/parley.env.json` or by `# @name` above another request. Where braces are meant as text, `# @literal` above the request says so.',
    good: ['# @city = Rome\nCALL|greet|{{city}}', '# @literal\nCALL|greet|{{city}}'],
    bad: ['CALL|greet|«{{city}}»'],
  },
  {
    code: 'variable/unresolved',
    severity: 'error',
    title: 'A variable that cannot be resolved',
    explanation:
      'It has no value that can be found, so the request is not sent: a function that does not exist, a name that is almost one that is defined, one that is defined only further down, or a number, float or boolean whose variable nothing defines.',
    good: ['# @city = Rome\nCALL|greet|{{city}}|{{$uuid}}'],
    bad: [
      '# @city = Rome\nCALL|greet|«{{cty}}»',
      'CALL|greet|«{{$guid}}»',
      'CALL|greet|«{{city}}»\n# @city = Rome',
    ],
  },
] as const satisfies readonly RuleRow[];

export type VariableRuleCode = (typeof VARIABLE_RULES)[number]['code'];
