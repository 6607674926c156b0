/** Directives in container lines above a request, as in `# @agent coder`. */
export const DIRECTIVES = [
  { name: 'agent', value: 'NAME', summary: 'The agent of agents.json that the request below goes to.' },
  { name: 'name', value: 'NAME', summary: 'A name for the request below, shown in the traces.' },
  { name: 'timeout', value: 'SECONDS', summary: 'How long the request below may take.' },
] as const satisfies readonly DirectiveRow[];

export interface DirectiveRow {
  readonly name: string;
  readonly value: string;
  readonly summary: string;
}

export type DirectiveName = (typeof DIRECTIVES)[number]['name'];
