import { AGENT_JSON_RULES } from './agent-json-rules.ts';
import { AICF_RULES } from './aicf-rules.ts';
import { AICL_RULES } from './aicl-rules.ts';
import { PRODUCT } from './product.ts';
import type { RuleRow } from './rule-row.ts';

/** Rules for the variables and the agents that requests of both languages name. */
export const REQUEST_RULES = [
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
  {
    code: 'request/unknown-agent',
    severity: 'warning',
    title: 'An agent that is not configured',
    explanation:
      'No entry of the agents file has this name, so the request cannot be sent. Write the name of one of its agents, or add the agent. Nothing is reported where no agent is configured.',
    good: ['# @agent toolbox\nCALL|greet'],
    bad: ['# @agent «tolbox»\nCALL|greet', '# @default «nobody»\nCALL|greet'],
  },
] as const satisfies readonly RuleRow[];

export type RequestRuleCode = (typeof REQUEST_RULES)[number]['code'];

/** Rules that apply to texts of any language. */
export const COMMON_RULES = [
  {
    code: 'parley/not-utf8',
    severity: 'error',
    title: 'A file that is not UTF-8',
    explanation: 'Messages are UTF-8. Open the file in its own encoding and save it as UTF-8.',
    good: [],
    bad: [],
  },
  {
    code: 'parley/more-issues',
    severity: 'information',
    title: 'More issues than are shown',
    explanation:
      'A document reports at most `parley.maxIssues` issues (1,000). The last one has the number of the others.',
    good: [],
    bad: [],
  },
] as const satisfies readonly RuleRow[];

export const RULES: readonly RuleRow[] = [
  ...AICL_RULES,
  ...AICF_RULES,
  ...AGENT_JSON_RULES,
  ...REQUEST_RULES,
  ...COMMON_RULES,
];

export type RuleCode = (
  | typeof AICL_RULES
  | typeof AICF_RULES
  | typeof AGENT_JSON_RULES
  | typeof REQUEST_RULES
  | typeof COMMON_RULES
)[number]['code'];

const ROW_BY_CODE: ReadonlyMap<string, RuleRow> = new Map(RULES.map(row => [row.code, row]));

/** The row of a rule; undefined for an unknown code. */
export function findRule(code: string): RuleRow | undefined {
  return ROW_BY_CODE.get(code);
}

/** The URL of a rule's documentation. */
export function ruleUrl(code: string): string {
  return `${PRODUCT.rulesUrl}#${headingAnchor(code)}`;
}

/** The anchor that GitHub generates for a heading of the reference. */
export function headingAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replace(/ /g, '-');
}
