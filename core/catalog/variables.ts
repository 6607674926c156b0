/** The file with environments, relative to the workspace folder. */
export const ENVIRONMENTS_FILE = '.vscode/parley.env.json';

/** The environment whose variables all environments inherit. */
export const SHARED_ENVIRONMENT = '$shared';

/** Predefined variables (reading of requests in files, section 9). */
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
  /** The form of the argument after the name; empty if there is none. */
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
