import { SHARED_ENVIRONMENT } from '../../core/catalog/variables.ts';
import { quote } from '../../core/text/quote.ts';
import type { EnvironmentVariable } from '../../language/variables/scope.ts';
import type { ConfigIssue } from './agent-config.ts';
import { parseJsonc, type JsonNode } from './json-node.ts';

/** The content of an environments file: the variables of each environment by its name, including `$shared`. */
export interface EnvironmentsFile {
  readonly environments: ReadonlyMap<string, readonly EnvironmentVariable[]>;
  readonly issues: readonly ConfigIssue[];
}

const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/**
 * Reads `parley.env.json` (JSON with comments; schemas/environments.schema.json describes it): `{"$shared":
 * {"version": 1}, "dev": {"host": "localhost"}}`. Never throws; faulty parts are left out and reported.
 */
export function parseEnvironmentsFile(text: string): EnvironmentsFile {
  const { node, issues: syntaxIssues } = parseJsonc(text);
  const issues: ConfigIssue[] = [];
  const environments = new Map<string, readonly EnvironmentVariable[]>();
  const report = ({ span }: Pick<JsonNode, 'span'>, message: string): void => {
    issues.push({ span, message });
  };
  const members = node && membersOf(node);
  if (node && !members) report(node, 'This should be an object such as {"dev":{"host":"localhost"}}');
  for (const [name, member] of members ?? []) {
    if (name === '$schema') continue;
    const variables = membersOf(member.node);
    if (!variables)
      report(member.node, `The environment ${quote(name)} should be an object of variables by name`);
    else environments.set(name, readVariables(name, variables, report));
  }
  const [first] = syntaxIssues;
  return { environments, issues: first ? [first] : issues };
}

type Members = Extract<JsonNode['value'], ReadonlyMap<string, unknown>>;

function membersOf({ value }: JsonNode): Members | undefined {
  return value instanceof Map ? value : undefined;
}

function readVariables(
  environment: string,
  members: Members,
  report: (node: Pick<JsonNode, 'span'>, message: string) => void,
): readonly EnvironmentVariable[] {
  const variables: EnvironmentVariable[] = [];
  for (const [name, { node, keySpan }] of members) {
    const { value } = node;
    if (!VARIABLE_NAME.test(name))
      report(
        { span: keySpan },
        `${quote(name)} is not a valid variable name: use letters, digits, '_' and '-'`,
      );
    else if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
      report(node, `The variable ${quote(name)} should be a text, a number, true or false`);
    else variables.push({ name, value: String(value), environment });
  }
  return variables;
}

/** The names that the user can choose from. */
export function listEnvironments({ environments }: EnvironmentsFile): readonly string[] {
  return [...environments.keys()].filter(name => name !== SHARED_ENVIRONMENT);
}

/** The variables of an environment, after the shared ones; only the shared ones if the name is empty or unknown. */
export function variablesOf(
  { environments }: EnvironmentsFile,
  name: string,
): readonly EnvironmentVariable[] {
  const own = name === SHARED_ENVIRONMENT ? [] : (environments.get(name) ?? []);
  return [...(environments.get(SHARED_ENVIRONMENT) ?? []), ...own];
}
