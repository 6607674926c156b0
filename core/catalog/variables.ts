/** What the command line and an editor read environments from, below the folder of a workspace. */
export const ENVIRONMENTS_FILE = '.vscode/parley.env.json';

/** The environment whose variables every environment has. */
export const SHARED_ENVIRONMENT = '$shared';

/** Variables that no line defines (reading of requests in files, section 9). */
export const VARIABLE_FUNCTIONS = [
  {
    name: 'uuid',
    argument: '',
    summary: 'A new random UUID (RFC 9562, version 4), another one in each place.',
  },
  {
    name: 'timestamp',
    argument: '',
    summary: 'The time of sending in whole seconds since 1970.',
  },
  {
    name: 'env',
    argument: 'NAME',
    summary:
      'A variable of the environment in which the editor or the command line runs. Its value is masked like a secret.',
  },
] as const satisfies readonly VariableFunctionRow[];

export interface VariableFunctionRow {
  readonly name: string;
  /** What follows the name; empty where nothing may. */
  readonly argument: string;
  readonly summary: string;
}

export type VariableFunction = (typeof VARIABLE_FUNCTIONS)[number]['name'];

const ROWS: readonly (VariableFunctionRow & { readonly name: VariableFunction })[] = VARIABLE_FUNCTIONS;

/** The row of a function; undefined for an unknown one. */
export function findVariableFunction(
  name: string,
): (VariableFunctionRow & { readonly name: VariableFunction }) | undefined {
  return ROWS.find(row => row.name === name);
}
